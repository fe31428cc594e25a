package settings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/tuning"
)

// Text, mode, truth, count and device read a value of their kind, and set the option that to returns, or say what is
// expected.

func text[T ~string](to func(*Config) *T) func(*Config, string) error {
	return func(c *Config, value string) error {
		*to(c) = T(value)
		return nil
	}
}

func mode[T ~string](to func(*Config) *T) func(*Config, string) error {
	return func(c *Config, value string) error { return text(to)(c, onOff(value)) }
}

func truth(to func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, value string) error {
		value = onOff(value)
		if value != "on" && value != "off" {
			return errors.New("expected on or off, or 1 or 0")
		}
		*to(c) = value == "on"
		return nil
	}
}

// onOff returns "on" or "off" for the truth values of strconv.ParseBool, and other texts as they are.
func onOff(value string) string {
	switch yes, err := strconv.ParseBool(value); {
	case err != nil:
		return value
	case yes:
		return "on"
	}
	return "off"
}

func count(what string, to func(*Config) *int) func(*Config, string) error {
	return func(c *Config, value string) (err error) {
		if *to(c), err = strconv.Atoi(value); err != nil || *to(c) < 1 {
			return fmt.Errorf("expected %s, at least 1", what)
		}
		return nil
	}
}

func device(backend string) func(*Config, string) error {
	return func(c *Config, value string) error {
		c.Backend.Devices[backend] = value
		return nil
	}
}

func threads(c *Config, value string) error {
	n := 0
	err := count("a number of threads", func(*Config) *int { return &n })(c, value)
	c.SetThreads(n)
	return err
}

// SetThreads sets the number of threads of the runtime, which is a loop's choice, too.
func (c *Config) SetThreads(n int) {
	c.Backend.Threads, c.Backend.Choices.Threads = n, cmp.Or(n, choice.Zero)
}

// Override leaves to tuning what was chosen for all loops, if that is to be overridden.
func (c *Config) Override() {
	if m, err := tuning.ParseMode(c.Tuning); err != nil || !m.Override {
		return
	}
	c.Start, c.Backend.Choices = c.Backend.Choices.Split(tuning.Overridden()...)
	c.Backend.Threads = AsManyAsPossible
}

// group reads the work-items of a group, and the elements of each: "128x4".
func group(c *Config, value string) (err error) {
	items, elements, both := strings.Cut(value, "x")
	if c.Backend.Choices.Group, err = strconv.Atoi(items); err == nil && both {
		c.Backend.Choices.PerItem, err = strconv.Atoi(elements)
	}
	if err != nil || c.Backend.Choices.Group == 0 || both && c.Backend.Choices.PerItem == 0 {
		return errors.New("expected work-items of a group, as 128, or with the elements of each, as 128x4")
	}
	return nil
}

// flags reads flags, which quotes keep together as in a shell.
func flags(to func(*Config) *choice.Flags) func(*Config, string) error {
	return func(c *Config, value string) (err error) {
		*to(c), err = choice.ParseFlags(value)
		return err
	}
}

// diags reads a level of diagnostics, by number or by name, which includes those below it; "on" is the checks without what
// is written.
func diags(c *Config, value string) error {
	level := slices.Index(levels, value)
	n, err := strconv.Atoi(value)
	switch {
	case err == nil:
		level = n
	case onOff(value) == "off":
		level = 0
	case onOff(value) == "on":
		c.Diags(true)
		return nil
	}
	if level < 0 || level >= len(levels) {
		return fmt.Errorf("expected on or off, or a level: figures, plans, checks or trace, or 1 to %d%s", len(levels)-1, spell.DidYouMean(value, levels))
	}
	c.Figures, c.CheckPlans, c.Backend.Poison, c.Trace = level >= 1, level >= 2, level >= 3, level >= 4
	return nil
}

func weight(c *Config, value string) (err error) {
	if c.Weight, err = strconv.ParseFloat(value, 64); err != nil {
		c.Weight = math.NaN() // which no check accepts
	}
	return nil
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Latency returns the time that messages between goroutines take.
func Latency(getenv func(string) string) (time.Duration, error) {
	value := getenv("OP2_LATENCY")
	delay, err := latency(value)
	if err != nil {
		return 0, fmt.Errorf("op2: OP2_LATENCY=%s: %w", value, err)
	}
	return delay, nil
}

func latency(value string) (time.Duration, error) {
	if value == "" {
		return 0, nil
	}
	delay, err := time.ParseDuration(value)
	if err != nil || delay < 0 {
		return 0, errors.New("expected a time, such as 100us")
	}
	return delay, nil
}

// usual is the time between checkpoints that is not given.
const usual = 10 * time.Minute

// checkpoint reads a folder, which a period may follow: "run.chk,30m".
func checkpoint(c *Config, value string) (err error) {
	folder, period, given := strings.Cut(value, ",")
	c.Checkpoint = entity.Checkpoint{Folder: folder, Every: usual}
	if given {
		c.Checkpoint.Every, err = time.ParseDuration(period)
	}
	if folder == "" || err != nil || c.Checkpoint.Every < 0 {
		return errors.New("expected a folder, or a folder and a period, such as run.chk,30m")
	}
	return nil
}
