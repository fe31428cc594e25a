// Package tuning makes choices for loops from wisdom, and adds to it by trials on the calls that a program makes.
//
// It decides what is tried and what was found; package run prepares loops, makes the calls and measures. It is pure but for
// the wisdom, which has a file.
package tuning

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/trial"
	"github.com/go-op2/op2/internal/wisdom"
)

// Tuner tunes the loops of a runtime. Nil does nothing.
type Tuner struct {
	Mode   Mode
	wisdom *wisdom.Wisdom

	chains bool // wisdom has some about chains

	mu   sync.Mutex
	open map[*Search]bool

	compiled     time.Duration // processor time of so many compilations
	compilations int
}

// New returns a tuner with that mode and wisdom; nil if the mode is to do nothing.
func New(m Mode, w *wisdom.Wisdom) *Tuner {
	if !m.Use {
		return nil
	}
	return &Tuner{Mode: m, wisdom: w, open: map[*Search]bool{},
		chains: slices.ContainsFunc(w.All(), func(f wisdom.Finding) bool { return strings.HasPrefix(f.Choice, choice.Chains.String()+"=") })}
}

// Patient reports whether trials may cost what they want.
func (t *Tuner) Patient() bool { return t.Mode.Rigor == wisdom.Patient }

// Chooses reports whether there may be choices for loops: wisdom has some, or they are learned.
func (t *Tuner) Chooses() bool { return t != nil && (t.Mode.Learn || len(t.wisdom.All()) > 0) }

// Chains reports whether wisdom has choices for chains of loops, or they are to be tried.
func (t *Tuner) Chains() bool { return t != nil && (t.chains || t.Mode.Chains) }

// Key returns what findings about a loop are kept by. The number of threads is not a part of it, since results must not depend
// on that.
func (t *Tuner) Key(s choice.Subject) wisdom.Key {
	k := wisdom.Key{Loop: s.Loop.String(), Machine: s.Backend + " on " + s.Machine, Compiler: s.Compiler, Class: class(s)}
	if t.Mode.Blocks {
		k.Class += ", any block"
		if s.User.Who(choice.Block) == choice.User {
			k.Class += fmt.Sprintf(" but %d", s.User.Block)
		}
	}
	return k
}

// class returns the class of a loop's size and connectivity, and what its user has chosen that other choices depend on.
func class(s choice.Subject) string {
	text := fmt.Sprintf("below %d elements", 1<<s.SizeClass())
	if s.Degree > 0 {
		text += fmt.Sprintf(", below %d at a target", 1<<s.DegreeClass())
	}
	if s.Scatters {
		text += ", scattered"
	}
	given := s.User.Only(choice.SIMD, choice.Width, choice.Schedule, choice.HostFlags, choice.Strategy, choice.Layout, choice.Group, choice.PerItem, choice.DeviceFlags)
	if given.Has(choice.User) {
		text += ", " + given.Choices.String()
	}
	if s.Start != (choice.Choices{}) {
		text += ", from " + s.Start.String()
	}
	return text
}

// Choose returns what wisdom says about a loop, unless that is still to be learned. It is a choice.Chooser.
func (t *Tuner) Choose(s choice.Subject) choice.Made {
	if t == nil {
		return choice.Made{}
	}
	f, found := t.wisdom.Find(t.Key(s), t.Mode.Rigor)
	if !found || t.Mode.Learn && !t.settled(f) {
		return choice.Made{}
	}
	c, err := choice.Parse(f.Choice)
	if tried := f.Of(f.Choice); err != nil || tried != nil && tried.Refused != "" { // of another version, or refused later
		return choice.Made{}
	}
	if c.Threads > 1 && c.Threads != s.Threads && c.Threads != s.Threads/2 { // of another number
		c.Threads = 0
	}
	return c.By(choice.Wisdom)
}

// settled reports whether a finding leaves nothing to learn.
func (t *Tuner) settled(f wisdom.Finding) bool {
	return f.Rigor >= t.Mode.Rigor && f.Breadth >= int(t.Mode.Breadth)
}

// Search tries choices for a loop. Choice 0 is that of the estimate.
type Search struct {
	*trial.Trial
	Choices []choice.Choices
	waiting []choice.Choices // until the loop's calls have earned that they are tried
	tuner   *Tuner
	loop    loop.Hash        // of whose choices there are
	all     []choice.Choices // these
	known   wisdom.Finding   // before
	name    string
	refused map[int]string
	earned  time.Duration // by calls
	spent   time.Duration // apart from calls
	told    string        // the state that wisdom was told
}

// Learns reports whether there is something to learn about a loop: not enough is known, and there are choices to try.
func (t *Tuner) Learns(f Facts) bool {
	return t != nil && t.Mode.Learn && t.learns(f.Subject, Candidates(f, t.Mode))
}

func (t *Tuner) learns(about choice.Subject, all []choice.Choices) bool {
	known, found := t.wisdom.Find(t.Key(about), wisdom.Estimate)
	return !(found && t.settled(known)) && len(all) > 0
}

// Search returns what tries choices for a loop of that name; nil if there is nothing to try, or enough is known. It goes on
// where others have ended, also less rigorous ones.
func (t *Tuner) Search(name string, f Facts) *Search {
	if t == nil || !t.Mode.Learn {
		return nil
	}
	return t.search(name, f.Subject, Candidates(f, t.Mode))
}

// SearchChain is Search for a chain of loops with its candidates, where the mode is to try chains.
func (t *Tuner) SearchChain(name string, about choice.Subject, all []choice.Choices) *Search {
	if !t.Mode.Chains {
		return nil
	}
	return t.search(name, about, all)
}

func (t *Tuner) search(name string, about choice.Subject, all []choice.Choices) *Search {
	if !t.learns(about, all) {
		return nil
	}
	known, _ := t.wisdom.Find(t.Key(about), wisdom.Estimate)
	known.Key = t.Key(about)
	s := &Search{Trial: trial.New("as estimated"), Choices: []choice.Choices{{}}, tuner: t, loop: about.Loop, all: all, known: known, name: name, refused: map[int]string{}}
	if t.Patient() {
		s.Patiently()
	}
	if s.resume(); len(s.waiting) == 0 && !s.Tries() { // less rigor has found it all
		s.tell()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[s] = true
	return s
}

// untried returns the choices that nothing is known about.
func (s *Search) untried() []choice.Choices {
	all := s.all
	if s.tuner.Mode.Breadth == Genetic {
		all = nil
		if len(s.Choices) == 1 {
			all = firstGeneration(s.loop, s.all)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(c choice.Choices) bool { return slices.Contains(s.Choices, c) })
}

// try adds choices to try as soon as that is affordable.
func (s *Search) try(choices []choice.Choices) {
	if !s.tuner.Patient() {
		s.waiting = append(s.waiting, choices...)
	} else if len(choices) > 0 {
		s.add(choices)
	}
}

// add adds choices to the trial.
func (s *Search) add(choices []choice.Choices) {
	var names []string
	for _, c := range choices {
		names = append(names, c.String())
	}
	s.Choices = append(s.Choices, choices...)
	s.Add(names...)
}

// resume goes on with what another process has found, and tries the rest.
func (s *Search) resume() {
	results, open := s.Results(), map[int][]float64{}
	for _, tried := range s.known.Tried {
		c, err := choice.Parse(tried.Choice)
		if err != nil || tried.Refused == "" && tried.Times == 0 && len(tried.Open) == 0 {
			continue
		}
		result := trial.Result{Calls: tried.Times, Ratio: tried.Ratio, Low: tried.Low, High: tried.High}
		switch i := len(s.Choices); {
		case tried.Refused != "":
			s.refused[i] = tried.Refused
		case tried.Times == 0:
			open[i] = tried.Open
		case tried.Choice == s.known.Choice && s.known.Breadth < 0: // to be confirmed
			open[i], result = nil, trial.Result{}
		}
		s.add([]choice.Choices{c})
		results = append(results, result)
	}
	s.try(s.untried())
	if len(results) == 1 {
		return
	}
	for i := len(results); i < len(s.Choices); i++ {
		open[i] = nil
	}
	s.Resume(open, results)
	for i := range s.refused {
		s.Trial.Refuse(i)
	}
}

// What is tried costs a loop at most this part of the time that its calls take, apart from what slower forms lose. Before
// something has been compiled, that is expected to take so long.
const (
	earns             = 0.01
	expectedToCompile = 150 * time.Millisecond
)

// Affords reports whether calls that have taken so long have earned that something else takes so long.
func Affords(calls, cost time.Duration) bool { return earns*calls.Seconds() >= cost.Seconds() }

// Earn tells how long the loop's calls have taken in this run, and adds a choice to try if they have earned that and nothing
// else is being tried.
func (s *Search) Earn(took time.Duration) {
	s.earned = took
	if len(s.waiting) == 0 || s.Tries() || s.credit() < s.tuner.toCompile().Seconds() {
		return
	}
	next := s.waiting[0]
	if s.waiting = s.waiting[1:]; !s.hopeless(next) {
		s.add([]choice.Choices{next})
	} else if len(s.waiting) == 0 {
		s.tell()
	}
}

// slow is how many times as long a choice takes that is not combined with others.
const slow = 1.25

// hopeless reports whether a choice combines others, one of which is slow by itself.
func (s *Search) hopeless(c choice.Choices) bool {
	results := s.Results()
	for i, part := range s.Choices {
		if part != c && c.With(part) == c && results[i].Low > slow {
			return true
		}
	}
	return false
}

// toCompile returns how long a compilation takes, as far as that is known.
func (t *Tuner) toCompile() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return (expectedToCompile + t.compiled) / time.Duration(1+t.compilations)
}

// Spend tells what trials have cost apart from calls: what was compiled, if anything was, and the rest.
func (s *Search) Spend(compiled, rest time.Duration) {
	s.spent += compiled + rest
	if compiled > 0 {
		s.tuner.mu.Lock()
		defer s.tuner.mu.Unlock()
		s.tuner.compiled, s.tuner.compilations = s.tuner.compiled+compiled, s.tuner.compilations+1
	}
}

// credit returns the seconds that further trials may cost.
func (s *Search) credit() float64 {
	return s.known.Credit + earns*s.earned.Seconds() - s.spent.Seconds()
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

// state tells findings apart: what has been chosen, and of how many.
func (s *Search) state() string {
	chosen, ended := s.Chosen()
	return fmt.Sprint(chosen, ended, len(s.Choices), len(s.waiting))
}

// tell adds to wisdom what a trial has chosen, and tries what follows from that.
func (s *Search) tell() {
	if s.Tries() {
		return
	}
	if s.state() == s.told {
		return
	}
	if s.tuner.Mode.Breadth == Genetic && len(s.waiting) == 0 {
		s.try(nextGeneration(s.loop, s.all, s.finding().Tried))
	}
	s.told = s.state()
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

// keep adds what a search knows that has not ended.
func (t *Tuner) keep(s *Search) {
	delete(t.open, s)
	if s.Tries() || len(s.waiting) > 0 {
		t.wisdom.Add(s.finding())
	}
}

// finding returns what is known. What has been chosen is tried once more by another process before it is settled: in one, the
// place of data in memory may favor a form for as long as it runs.
func (s *Search) finding() wisdom.Finding {
	f := s.known
	f.Name, f.When, f.Credit, f.Breadth, f.Tried = s.name, time.Now().UTC(), s.credit(), -1, nil
	if s.tuner.Patient() { // whatever it has cost
		f.Credit = max(0, f.Credit)
	}
	if chosen, _ := s.Chosen(); !s.Tries() && len(s.Choices) > 1 {
		f.Rigor, f.Choice = max(f.Rigor, s.tuner.Mode.Rigor), s.Choices[chosen].String()
		confirmed := slices.ContainsFunc(s.known.Tried, func(t wisdom.Tried) bool { return t.Choice == f.Choice && t.Times > 0 })
		if len(s.waiting) == 0 && (chosen == 0 || confirmed) {
			f.Breadth = int(s.tuner.Mode.Breadth)
		}
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
