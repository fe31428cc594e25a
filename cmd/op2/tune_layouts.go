package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/report"
	"github.com/go-op2/op2/internal/trial"
	"github.com/go-op2/op2/internal/tuning"
	"github.com/go-op2/op2/internal/wisdom"
)

// A layout is compared in pairs of runs of the program, in turn. One that takes hopeless times as long in each of the first ones
// leaves at once; one is chosen that is surely faster, and by enough.
const (
	leastPairs, mostPairs = 3, 7
	hopeless              = 1.25
	worthwhile            = 0.98
)

// layouts finds out in which layouts the program's dats are fastest on a device: in the other one all together, or else one by
// one, the rest as they are.
func (t *tunedProgram) layouts(ctx context.Context) error {
	open, err := t.openLayouts()
	if err != nil {
		return err
	}
	groups := [][]wisdom.Finding{}
	if len(open) > 1 {
		groups = append(groups, open)
	}
	for i := range open {
		groups = append(groups, open[i:i+1])
	}
	for _, group := range groups {
		ratios, differs, err := t.compareLayouts(ctx, open, group)
		if errors.Is(err, errNoReport) {
			_, err = fmt.Fprintln(t.c.status, "layouts stay as they are, for which runs are compared by their reports: the program has written none, as it does not close its runtime")
			return err
		}
		if err != nil || ctx.Err() != nil {
			return err
		}
		result := trial.ResultOf(ratios)
		better := differs == "" && len(ratios) == mostPairs && result.High < 1 && result.Ratio < worthwhile
		if len(group) > 1 && !better {
			continue
		}
		for _, f := range group {
			other := tuning.OtherLayout(f)
			f.Rigor, f.Breadth, f.When = wisdom.Patient, int(tuning.Exhaustive), time.Now().UTC()
			f.Tried = []wisdom.Tried{{Choice: other, Times: result.Calls, Ratio: result.Ratio, Low: result.Low, High: result.High, Refused: differs}}
			if better {
				f.Choice = other
			}
			t.tell(f)
			if err := t.keep(f); err != nil {
				return err
			}
		}
		if len(group) > 1 {
			return nil
		}
	}
	return nil
}

// openLayouts returns the dats whose layout is to be decided: also those that were refused another one for last digits, where these may
// change now.
func (t *tunedProgram) openLayouts() (open []wisdom.Finding, err error) {
	w := wisdom.Open(t.dir, nil)
	for _, f := range t.found() {
		switch other := tuning.OtherLayout(f); {
		case other == "":
		case f.Rigor == wisdom.Estimate:
			open = append(open, f)
		case t.digits && f.Of(other) != nil && f.Of(other).Refused != "":
			w.Forget(f.Key)
			delete(t.told, f.Key)
			f.Rigor, f.Breadth, f.Tried = wisdom.Estimate, -1, nil
			open = append(open, f)
		}
	}
	return open, w.Save()
}

// compareLayouts returns the ratios of the time of the program's loops with other layouts of a group of dats, all of which are open, and
// what differs in the end, where no last digits may change.
func (t *tunedProgram) compareLayouts(ctx context.Context, open, group []wisdom.Finding) (ratios []float64, differs string, err error) {
	for _, f := range open {
		f.Choice = ""
		if slices.ContainsFunc(group, func(g wisdom.Finding) bool { return g.Key == f.Key }) {
			f.Choice = tuning.OtherLayout(f)
		}
		if err := t.keep(f); err != nil {
			return nil, "", err
		}
	}
	const use = "use,patient,verify"
	for len(ratios) < mostPairs && (len(ratios) < leastPairs || slices.Min(ratios) < hopeless) {
		var runs [2]*report.Report
		for i, mode := range []string{use, use + ",layouts"} {
			if runs[i], err = t.reported(ctx, mode+t.also); err != nil || ctx.Err() != nil {
				return nil, "", err
			}
		}
		ratios = append(ratios, secondsOf(runs[1])/secondsOf(runs[0]))
		if name := differing(runs[0], runs[1]); name != "" && !t.digits {
			again, err := t.reported(ctx, use+t.also)
			if err != nil || ctx.Err() != nil {
				return nil, "", err
			}
			if differs = "last digits of " + name + " differ, which -layouts permits"; differing(runs[0], again) != "" {
				differs = name + " differs from run to run, whatever the layout, which -layouts permits"
			}
			return ratios, differs, nil
		}
	}
	return ratios, "", nil
}

// secondsOf returns the time of all loops.
func secondsOf(r *report.Report) (seconds float64) {
	for _, rank := range r.Ranks {
		for _, l := range rank.Loops {
			seconds += l.Seconds
		}
	}
	return seconds
}

// differing returns the name of what has other values at the end of one run than at that of another; "" if nothing has.
func differing(a, b *report.Report) string {
	for i, rank := range b.Ranks {
		if i == len(a.Ranks) {
			break
		}
		before, after := digests(a.Ranks[i]), digests(rank)
		for _, m := range rank.Memory {
			m.Digest, m.Bytes = "", 0
			if len(before[m]) == len(after[m]) && !slices.Equal(before[m], after[m]) {
				return m.Name
			}
		}
	}
	return ""
}

// digests returns the digests of all that has one name, in the order of declaration.
func digests(r report.Rank) map[report.Memory][]string {
	all := map[report.Memory][]string{}
	for _, m := range r.Memory {
		digest := m.Digest
		m.Digest, m.Bytes = "", 0
		all[m] = append(all[m], digest)
	}
	return all
}

// keep adds a finding to the wisdom, unless a process has decided it meanwhile.
func (t *tunedProgram) keep(f wisdom.Finding) error {
	w := wisdom.Open(t.dir, nil)
	w.Add(f)
	return w.Save()
}

var errNoReport = errors.New("the program has written no report")

// reported runs the program, and returns its report. It is errNoReport that there is none.
func (t *tunedProgram) reported(ctx context.Context, mode string) (*report.Report, error) {
	dir, err := os.MkdirTemp("", "op2-tune-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "report.json")
	if err := t.once(ctx, "OP2_TUNE="+mode, "OP2_REPORT="+file); err != nil || ctx.Err() != nil {
		return nil, err
	}
	r := new(report.Report)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoReport
	}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		return nil, fmt.Errorf("the program's report, for the time of its loops: %w", err)
	}
	return r, nil
}
