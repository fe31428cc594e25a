package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/tuning"
	"github.com/go-op2/op2/internal/wisdom"
)

// tunedProgram is the runs of a program whose loops are tuned.
type tunedProgram struct {
	c           console
	dir         string
	began       time.Time
	program     []string
	also        string // words of OP2_TUNE for what is permitted
	digits      bool   // layouts may change last digits
	environment []string
	told        map[wisdom.Key]bool
}

// run runs the program until all that is tuned in a mode is decided, the budget is spent, or somebody interrupts it.
func (t *tunedProgram) run(ctx context.Context, mode string) error {
	for runs := 1; ctx.Err() == nil; runs++ {
		if _, err := fmt.Fprintf(t.c.status, "run %d with OP2_TUNE=%s, after %v\n", runs, mode+t.also, time.Since(t.began).Round(time.Second)); err != nil {
			return err
		}
		before := t.progress()
		if err := t.once(ctx, "OP2_TUNE="+mode+t.also); err != nil || ctx.Err() != nil {
			return err
		}
		if now := t.progress(); now.open == 0 || now == before && runs > 1 {
			return nil
		}
	}
	return nil
}

// interruptFor is how long an interrupted program may take to end.
const interruptFor = 5 * time.Second

// once runs the program, and tells meanwhile what is found. A program that was interrupted does not fail.
func (t *tunedProgram) once(ctx context.Context, environment ...string) error {
	program := exec.CommandContext(ctx, t.program[0], t.program[1:]...)
	program.Env = slices.Concat(os.Environ(), t.environment, environment)
	program.Stdout, program.Stderr = t.c.status, t.c.status
	inGroup(program)
	program.WaitDelay = interruptFor
	ended := make(chan error, 1)
	go func() { ended <- program.Run() }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			t.progress()
		case err := <-ended:
			if err != nil && ctx.Err() == nil {
				return fmt.Errorf("%s: %w", strings.Join(t.program, " "), err)
			}
			return nil
		}
	}
}

// tuneState is how much has been found.
type tuneState struct{ decided, open, calls int }

// found returns what was found about the program's loops.
func (t *tunedProgram) found() (all []wisdom.Finding) {
	for _, f := range wisdom.Open(t.dir, nil).All() {
		if !f.When.Before(t.began) {
			all = append(all, f)
		}
	}
	return all
}

// progress tells what has been decided since the last time.
func (t *tunedProgram) progress() (s tuneState) {
	for _, f := range t.found() {
		for _, tried := range f.Tried {
			s.calls += len(tried.Open) + tried.Times
		}
		switch {
		case f.Breadth >= 0:
			s.decided++
			t.tell(f)
		case tuning.OtherLayout(f) == "":
			s.open++
		}
	}
	return s
}

// tell tells once what has been decided.
func (t *tunedProgram) tell(f wisdom.Finding) {
	if !t.told[f.Key] {
		t.told[f.Key] = true
		fmt.Fprintf(t.c.status, "%s: %s\n", f.Name, strings.TrimSpace(choiceText(f)+" "+ratioText(f)))
	}
}
