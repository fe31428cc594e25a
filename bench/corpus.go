package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/bench/kernels"
)

// corpusWays are the ways of running the corpus's loops: with packs as the estimate decides, never,
// and wherever possible, and on `go`.
var corpusWays = []struct {
	name    string
	options []op2.Option
}{
	{"auto", []op2.Option{op2.WithBackend("sequential"), op2.WithSIMD(op2.Auto)}},
	{"off", []op2.Option{op2.WithBackend("sequential"), op2.WithSIMD(op2.Off)}},
	{"on", []op2.Option{op2.WithBackend("sequential"), op2.WithSIMD(op2.On)}},
	{"go", []op2.Option{op2.WithBackend("go"), op2.WithThreads(1)}},
}

const (
	auto = iota
	off
	on
	onGo
)

// corpusLoop is one loop of the corpus in each of the ways.
type corpusLoop struct {
	name  string
	loops [4]*op2.Loop
	times [4][]float64 // seconds per call
	how   string       // as auto reports

	elements int
}

// doNothing is a func value, like a kernel on the backend go.
var doNothing = func(_, _, _ *float64) {}

// emptyCall returns the seconds of a call that does nothing, with three addresses: the minimum per
// element of a loop on go.
func emptyCall() float64 {
	x := make([]float64, 1000)
	shortest := math.Inf(1)
	for range 100 {
		shortest = min(shortest, timeCalls(20, func() error {
			for e := range x {
				p := &x[e]
				doNothing(p, p, p)
			}
			return nil
		}))
	}
	return shortest / float64(len(x))
}

// corpus measures the kernels whose names contain only, over about n elements.
func corpus(out io.Writer, n, rounds int, only string) (err error) {
	var rows []*corpusLoop
	var reset [4]func() error
	for w, way := range corpusWays {
		rt, err := op2.Open(way.options...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rt.Close()) }()
		loops, fields, err := kernels.New(rt, n)
		if err != nil {
			return err
		}
		reset[w] = func() error {
			for _, f := range fields {
				if err := f.Reset(); err != nil {
					return err
				}
			}
			return nil
		}
		loops = slices.DeleteFunc(loops, func(l kernels.Loop) bool { return !strings.Contains(l.Kernel.Name(), only) })
		for i, l := range loops {
			if w == 0 {
				rows = append(rows, &corpusLoop{name: l.Kernel.Name(), elements: l.Over.Size()})
			}
			rows[i].loops[w] = op2.NewLoop(l.Kernel, l.Over, l.Args...)
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("no kernel's name holds %q", only)
	}
	for _, r := range rows {
		if err := r.measure(rounds, reset); err != nil {
			return err
		}
	}
	return printCorpus(out, rows)
}

// measure times the ways in turn. Auto runs the code of off or of on, and is not timed again.
func (r *corpusLoop) measure(rounds int, reset [4]func() error) error {
	var calls [4]int
	for w, l := range r.loops {
		if err := reset[w](); err != nil {
			return err
		}
		if err := l.Compute(); err != nil {
			return err
		}
		once := timeCalls(1, l.Compute)
		calls[w] = max(1, int(0.5e-3/once))
	}
	r.how = r.loops[auto].Stats().How
	possible := strings.HasPrefix(r.loops[on].Stats().How, packs)
	for range rounds {
		for w, l := range r.loops {
			if w == auto || w == on && !possible {
				continue
			}
			r.times[w] = append(r.times[w], timeCalls(calls[w], l.Compute))
		}
	}
	if !possible {
		r.times[on] = r.times[off]
	}
	r.times[auto] = r.times[off]
	if strings.HasPrefix(r.how, packs) {
		r.times[auto] = r.times[on]
	}
	return nil
}

// packs is the prefix of How for loops that run packs of elements.
const packs = "packs"

// shortest returns the shortest time of a call in one of the ways: disturbances only make times
// longer.
func (r *corpusLoop) shortest(way int) float64 { return slices.Min(r.times[way]) }

// loss returns how much longer the choice of auto takes than the better of on and off.
func (r *corpusLoop) loss() float64 {
	return r.shortest(auto) / min(r.shortest(on), r.shortest(off))
}

func printCorpus(out io.Writer, rows []*corpusLoop) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "kernel\toff µs\ton µs\ton / off\tauto / best\tgo / off\tcalls / off\tauto\t")
	losses, goes, over, call := 0.0, 0.0, 0, emptyCall()
	within, bound := 0, 0 // 4 times
	worst := rows[0]
	for _, r := range rows {
		loss, slow, calls := r.loss(), r.shortest(onGo)/r.shortest(off), call*float64(r.elements)/r.shortest(off)
		if slow <= 4 {
			within++
		} else if calls > 4 {
			bound++
		}
		losses, goes = losses+math.Log(loss), goes+math.Log(slow)
		if loss > 1.05 {
			over++
		}
		if loss > worst.loss() {
			worst = r
		}
		fmt.Fprintf(t, "%s\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t\n", r.name, 1e6*r.shortest(off), 1e6*r.shortest(on),
			r.shortest(on)/r.shortest(off), loss, slow, calls, r.how)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	n := float64(len(rows))
	_, err := fmt.Fprintf(out, "%d kernels: auto / best %.3f in the geometric mean, above 1.05 for %d, %.2f at worst (%s)\n"+
		"go / off %.2f in the geometric mean, at most 4 for %d; for %d of the others calls alone, of %.2f ns, take more than that\n",
		len(rows), math.Exp(losses/n), over, worst.loss(), worst.name, math.Exp(goes/n), within, bound, 1e9*call)
	return err
}
