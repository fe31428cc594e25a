package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2/internal/wisdom"
)

// tuneCommand runs a program again and again while its loops are tuned.
func tuneCommand(c console, args []string) error {
	f := newFlags("tune", "PROGRAM [ARGUMENTS]\n\nruns the program, again and again within the budget, and tries choices for its loops: packs, compilers, strategies. "+
		"Each is compared with the untuned loop before it is timed. What is found is kept as wisdom, which later runs use.")
	budget := f.Duration("budget", time.Minute, "`time` for all runs; what was found until then is kept, also after Ctrl-C")
	exhaustive := f.Bool("exhaustive", false, "try all choices in all combinations")
	genetic := f.Bool("genetic", false, "combine and change the best of all choices, again and again")
	blocks := f.Bool("blocks", false, "try sizes of blocks, too, which change last digits; used with OP2_TUNE=use,blocks")
	override := f.Bool("override", false, "try other choices than those of variables and options for all loops, too: blocks (with -blocks), threads, packs, strategies; used with OP2_TUNE=use,override")
	layouts := f.Bool("layouts", false, "use layouts of dats on a device, too, which change last digits")
	dir := f.String("dir", cacheDir(), "the `folder` of wisdom and compiled code")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	switch {
	case f.NArg() == 0:
		return wrongUse(f, errors.New("which program? As in: op2 tune go run ./examples/airfoil"))
	case *budget <= 0:
		return wrongUse(f, fmt.Errorf("-budget %v: expected a time, as 60s", *budget))
	case *exhaustive && *genetic:
		return wrongUse(f, errors.New("-exhaustive and -genetic exclude each other"))
	}
	also := ""
	for _, word := range []struct {
		on   bool
		name string
	}{{*exhaustive, "exhaustive"}, {*genetic, "genetic"}, {*blocks, "blocks"}, {*override, "override"}} {
		if word.on {
			also += "," + word.name
		}
	}
	t := &tunedProgram{c: c, dir: *dir, began: time.Now(), program: f.Args(), told: map[wisdom.Key]bool{},
		also: also, digits: *layouts, environment: []string{"OP2_CACHE_DIR=" + *dir}}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *budget)
	defer cancel()
	if err := t.stages(ctx, *budget); err != nil {
		return err
	}
	return t.report()
}

// A part of the budget is for loops alone, so that the rest is left for layouts and chains.
const budgetForLoops = 0.6

// stages tunes the loops of the program, then the layouts of its dats and its chains, with what is known of the loops by then, and in the end
// the loops that come of that.
func (t *tunedProgram) stages(ctx context.Context, budget time.Duration) error {
	const loops, chains = "learn,patient,verify,layouts", "use,patient,verify,chains"
	first, cancel := context.WithTimeout(ctx, time.Duration(budgetForLoops*float64(budget)))
	defer cancel()
	if err := t.run(first, loops); err != nil {
		return err
	}
	if err := t.layouts(ctx); err != nil {
		return err
	}
	if err := t.run(ctx, chains); err != nil {
		return err
	}
	return t.run(ctx, loops)
}

// report lists the gain and the confidence for each loop.
func (t *tunedProgram) report() error {
	found := t.found()
	if len(found) == 0 {
		_, err := fmt.Fprintln(t.c.results, "nothing was tuned: the program's loops are known already (op2 wisdom list shows what, op2 wisdom forget begins anew), or too short, or leave no choice")
		return err
	}
	w := tabwriter.NewWriter(t.c.results, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LOOP\tCLASS\tCHOICE\tGAIN\tCONFIDENCE\tTRIED\tREFUSED")
	for _, f := range found {
		refused := 0
		for _, tried := range f.Tried {
			if tried.Refused != "" {
				refused++
			}
		}
		gain, confidence := "", ""
		if best := f.Of(f.Choice); best != nil && best.Ratio > 0 && f.Rigor > wisdom.Estimate {
			gain = fmt.Sprintf("%.2f", 1/best.Ratio)
			confidence = fmt.Sprintf("%.2f to %.2f", 1/best.High, 1/best.Low)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\n", f.Name, f.Class, choiceText(f), gain, confidence, len(f.Tried), refused)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(t.c.results, "op2 wisdom explain LOOP shows all that was tried.\n")
	return err
}
