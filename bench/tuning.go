package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/bench/kernels"
	"github.com/go-op2/op2/internal/wisdom"
)

// tunedLoop is one loop of the corpus, untuned and as it was tuned.
type tunedLoop struct {
	name  string
	loops [2]*op2.Loop
	times [2][]float64 // seconds per call
	ratio float64      // of the tuned one's time, the median of those within a round
}

// learnCalls are calls between two looks at what has been learned, and so many looks are enough.
const learnCalls, learnLooks = 100, 60

// tunedCorpus tunes the kernels whose names contain only, and measures what that gains.
func tunedCorpus(out io.Writer, n, rounds int, only string) (err error) {
	dir, err := os.MkdirTemp("", "op2-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	open := func(mode string) (*op2.Runtime, []kernels.Loop, func() error, error) {
		rt, err := op2.Open(op2.WithBackend("sequential"), op2.WithCacheDir(dir), op2.WithTuning(mode))
		if err != nil {
			return nil, nil, nil, err
		}
		loops, fields, err := kernels.New(rt, n)
		loops = slices.DeleteFunc(loops, func(l kernels.Loop) bool { return !strings.Contains(l.Kernel.Name(), only) })
		return rt, loops, func() error {
			for _, f := range fields {
				if err := f.Reset(); err != nil {
					return err
				}
			}
			return nil
		}, err
	}
	for range 2 { // the second runtime, whose data are elsewhere in memory, confirms what the first one has found
		rt, loops, reset, err := open("learn,patient,verify")
		if err != nil {
			return err
		}
		if len(loops) == 0 {
			return fmt.Errorf("no kernel's name holds %q", only)
		}
		for _, l := range loops {
			if err := learn(dir, op2.NewLoop(l.Kernel, l.Over, l.Args...), l.Kernel.Name(), reset); err != nil {
				return err
			}
		}
		if err := rt.Close(); err != nil {
			return err
		}
	}
	var rows []*tunedLoop
	var resets [2]func() error
	for i, mode := range []string{"off", "use,patient"} {
		rt, loops, reset, err := open(mode)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rt.Close()) }()
		resets[i] = reset
		for at, l := range loops {
			if i == 0 {
				rows = append(rows, &tunedLoop{name: l.Kernel.Name()})
			}
			rows[at].loops[i] = op2.NewLoop(l.Kernel, l.Over, l.Args...)
		}
	}
	for _, r := range rows {
		if err := r.measure(rounds, resets); err != nil {
			return err
		}
	}
	return printTuned(out, rows, wisdom.Open(dir, nil).All())
}

// learn runs a loop until it is decided how.
func learn(dir string, l *op2.Loop, kernel string, reset func() error) error {
	began := time.Now()
	for range learnLooks {
		if err := reset(); err != nil {
			return err
		}
		for range learnCalls {
			if err := l.Compute(); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(wisdom.Open(dir, nil).All(), func(f wisdom.Finding) bool {
			return strings.HasPrefix(f.Name, kernel+" ") && (f.Breadth >= 0 || f.When.After(began))
		}) {
			return nil
		}
	}
	return nil
}

// measure times both in turn.
func (r *tunedLoop) measure(rounds int, reset [2]func() error) error {
	var calls [2]int
	for i, l := range r.loops {
		if err := reset[i](); err != nil {
			return err
		}
		if err := l.Compute(); err != nil {
			return err
		}
		calls[i] = max(1, int(0.5e-3/timeCalls(1, l.Compute)))
	}
	var ratios []float64
	for range rounds {
		var took [2]float64
		for i, l := range r.loops {
			took[i] = timeCalls(calls[i], l.Compute)
			r.times[i] = append(r.times[i], took[i])
		}
		ratios = append(ratios, took[1]/took[0])
	}
	slices.Sort(ratios)
	r.ratio = ratios[len(ratios)/2]
	return nil
}

func printTuned(out io.Writer, rows []*tunedLoop, found []wisdom.Finding) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "kernel\tuntuned µs\ttuned µs\tratio\tmedian\tchoice")
	var all, changed []float64
	slower, undecided, refused, worst := 0, 0, 0, rows[0]
	for _, r := range rows {
		choice := "undecided"
		for _, f := range found {
			if !strings.HasPrefix(f.Name, r.name+" ") {
				continue
			}
			choice = f.Choice
			for _, tried := range f.Tried {
				if tried.Refused != "" {
					refused++
					fmt.Fprintf(out, "%s: %s: %s\n", r.name, tried.Choice, tried.Refused)
				}
			}
		}
		ratio := slices.Min(r.times[1]) / slices.Min(r.times[0])
		all = append(all, ratio)
		switch choice {
		case "undecided":
			undecided++
		case "":
		default:
			changed = append(changed, ratio)
			if ratio > 1.02 {
				slower++
			}
			if r.ratio > worst.ratio {
				worst = r
			}
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.3f\t%.3f\t%s\n", r.name, 1e6*slices.Min(r.times[0]), 1e6*slices.Min(r.times[1]), ratio, r.ratio, choice)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d kernels: tuned / untuned %.3f in the geometric mean; %.3f for the %d that were changed, of which %d take more than 1.02; at worst, in medians, %.3f (%s); %d undecided, %d forms refused\n",
		len(rows), geometric(all), geometric(changed), len(changed), slower, worst.ratio, worst.name, undecided, refused)
	return err
}
