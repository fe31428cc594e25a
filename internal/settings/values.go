package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-op2/op2/internal/spell"
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

var threads = count("a number of threads", func(c *Config) *int { return &c.Backend.Threads })

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

// words splits text at blanks, as a shell does: quotes and backslashes keep blanks in a word.
func words(text string) (all []string, err error) {
	var word []rune
	in, quote, escaped := false, rune(0), false
	for _, r := range text {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word = append(word, '\\')
			}
			word, escaped = append(word, r), false
		case r == '\\' && quote != '\'':
			in, escaped = true, true
		case r == quote:
			quote = 0
		case quote != 0:
			word = append(word, r)
		case r == '\'' || r == '"':
			in, quote = true, r
		case unicode.IsSpace(r):
			if in {
				all = append(all, string(word))
			}
			word, in = nil, false
		default:
			word, in = append(word, r), true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	case escaped:
		return nil, errors.New("nothing follows the last backslash")
	case in:
		all = append(all, string(word))
	}
	return all, nil
}
