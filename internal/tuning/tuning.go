// Package tuning makes choices for loops from wisdom, and adds to it by trials on the calls that a program makes.
//
// It decides what is tried and what was found; package run prepares loops, makes the calls and measures. It is pure but for
// the wisdom, which has a file.
package tuning

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/trial"
	"github.com/go-op2/op2/internal/wisdom"
)

// Tuner tunes the loops of a runtime. Nil does nothing.
type Tuner struct {
	Mode   Mode
	wisdom *wisdom.Wisdom

	mu   sync.Mutex
	open map[*Search]bool
}

// New returns a tuner with that mode and wisdom; nil if the mode is to do nothing.
func New(m Mode, w *wisdom.Wisdom) *Tuner {
	if !m.Use {
		return nil
	}
	return &Tuner{Mode: m, wisdom: w, open: map[*Search]bool{}}
}

// Patient reports whether trials may cost what they want.
func (t *Tuner) Patient() bool { return t.Mode.Rigor == wisdom.Patient }

// Key returns what findings about a loop are kept by. The number of threads is not a part of it, since results must not depend
// on that.
func (t *Tuner) Key(s choice.Subject) wisdom.Key {
	k := wisdom.Key{Loop: s.Loop.String(), Machine: s.Backend + " on " + s.Machine, Compiler: s.Compiler, Class: class(s)}
	if t.Mode.Blocks {
		k.Class += ", any block"
	}
	return k
}

// class returns the class of sizes of a loop.
func class(s choice.Subject) string {
	return fmt.Sprintf("below %d elements", 1<<s.SizeClass())
}

// Choose returns what wisdom says about a loop. It is a choice.Chooser.
func (t *Tuner) Choose(s choice.Subject) choice.Made {
	if t == nil {
		return choice.Made{}
	}
	f, found := t.wisdom.Find(t.Key(s), t.Mode.Rigor)
	if !found {
		return choice.Made{}
	}
	c, err := choice.Parse(f.Choice)
	if tried := f.Of(f.Choice); err != nil || tried != nil && tried.Refused != "" { // of another version, or refused later
		return choice.Made{}
	}
	return c.By(choice.Wisdom)
}

// Search tries choices for a loop. Choice 0 is that of the estimate.
type Search struct {
	*trial.Trial
	Choices []choice.Choices

	tuner   *Tuner
	facts   Facts
	key     wisdom.Key
	name    string
	refused map[int]string
	told    int // the choice that wisdom was told; none before the first trial has ended
}

const none = -1

// Search returns what tries choices for a loop of that name; nil if there is nothing to try, or enough is known.
func (t *Tuner) Search(name string, f Facts) *Search {
	if t == nil || !t.Mode.Learn {
		return nil
	}
	key := t.Key(f.Subject)
	known, found := t.wisdom.Find(key, wisdom.Estimate)
	if found && known.Rigor >= t.Mode.Rigor {
		return nil
	}
	candidates := t.candidates(f, known)
	if len(candidates) == 0 {
		return nil
	}
	s := &Search{Trial: trial.New("as estimated"), Choices: []choice.Choices{{}}, tuner: t, facts: f, key: key, name: name, refused: map[int]string{}, told: none}
	s.add(candidates)
	if t.Patient() {
		s.Patiently()
	}
	if found && known.Rigor == wisdom.Estimate { // undecided
		s.resume(known)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[s] = true
	return s
}

// candidates returns what is to be tried for a loop about which something undecided may be known.
func (t *Tuner) candidates(f Facts, known wisdom.Finding) (all []choice.Choices) {
	if t.Mode.Breadth != Genetic {
		return Candidates(f, t.Mode)
	}
	for _, tried := range known.Tried {
		if c, err := choice.Parse(tried.Choice); err == nil {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return firstGeneration(f, t.Mode)
	}
	return all
}

// add adds choices to try.
func (s *Search) add(choices []choice.Choices) {
	var names []string
	for _, c := range choices {
		names = append(names, c.String())
	}
	s.Choices = append(s.Choices, choices...)
	s.Add(names...)
}

// resume goes on with what another process has found.
func (s *Search) resume(f wisdom.Finding) {
	open, results := map[int][]float64{}, s.Results()
	for i, c := range s.Choices[1:] {
		tried := f.Of(c.String())
		switch {
		case tried == nil || tried.Refused == "" && tried.Times == 0:
			open[i+1] = nil
			if tried != nil {
				open[i+1] = tried.Open
			}
		case tried.Refused == "":
			results[i+1] = trial.Result{Calls: tried.Times, Ratio: tried.Ratio, Low: tried.Low, High: tried.High}
		}
	}
	s.Resume(open, results)
	for i, c := range s.Choices[1:] {
		if tried := f.Of(c.String()); tried != nil && tried.Refused != "" {
			s.Refuse(i+1, errors.New(tried.Refused))
		}
	}
}

// Refuse takes a choice out that cannot run, or not correctly.
func (s *Search) Refuse(i int, why error) {
	s.refused[i] = why.Error()
	s.Trial.Refuse(i)
	s.tell()
}

// Note records the time of a call with choice i.
func (s *Search) Note(i int, took time.Duration) {
	s.Trial.Note(i, took)
	s.tell()
}

// tell adds to wisdom what a trial has chosen, unless others follow from that.
func (s *Search) tell() {
	chosen, ended := s.Chosen()
	if !ended || chosen == s.told {
		return
	}
	if s.tuner.Mode.Breadth == Genetic && s.told == none {
		if children := nextGeneration(s.facts, s.tuner.Mode, s.finding().Tried); len(children) > 0 {
			s.add(children)
			return
		}
	}
	s.told = chosen
	s.tuner.wisdom.Add(s.finding())
	_ = s.tuner.wisdom.Save() // which tells of an error; the program may be killed
}

// Drop ends a search whose loop is prepared again, with what it has found so far.
func (s *Search) Drop() {
	if s == nil {
		return
	}
	s.tuner.mu.Lock()
	defer s.tuner.mu.Unlock()
	s.tuner.keep(s)
}

// keep adds what an undecided search knows.
func (t *Tuner) keep(s *Search) {
	delete(t.open, s)
	if f := s.finding(); s.told == none && slices.ContainsFunc(f.Tried, func(r wisdom.Tried) bool { return r.Times > 0 || len(r.Open) > 0 || r.Refused != "" }) {
		t.wisdom.Add(f)
	}
}

// finding returns what is known.
func (s *Search) finding() wisdom.Finding {
	chosen, ended := s.Chosen()
	f := wisdom.Finding{Key: s.key, Name: s.name, When: time.Now().UTC()}
	if ended {
		f.Rigor, f.Choice = s.tuner.Mode.Rigor, s.Choices[chosen].String()
	}
	open := s.Open()
	for i, r := range s.Results() {
		if i == 0 {
			continue
		}
		tried := wisdom.Tried{Choice: s.Choices[i].String(), Refused: s.refused[i]}
		if ratios, is := open[i]; is {
			tried.Open = rounded(ratios)
		} else if tried.Refused == "" {
			tried.Times, tried.Ratio, tried.Low, tried.High = r.Calls, r.Ratio, r.Low, r.High
		}
		f.Tried = append(f.Tried, tried)
	}
	return f
}

// rounded returns ratios to three digits.
func rounded(ratios []float64) []float64 {
	short := make([]float64, len(ratios))
	for i, r := range ratios {
		short[i] = float64(int(r*1000+0.5)) / 1000
	}
	return short
}

// Close keeps what was found, if that is possible: a warning says if not.
func (t *Tuner) Close() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.open {
		t.keep(s)
	}
	_ = t.wisdom.Save()
	return nil
}
