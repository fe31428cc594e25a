// Package timeline records what a runtime does, and when: calls of loops and chains, transfers, waiting, compilation, and
// the program's own regions. What records has a nil Timeline unless a report is wanted, on which every method does nothing.
package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/sorting"
)

// Kind is the kind of an event.
type Kind uint8

// The kinds.
const (
	Region   Kind = iota // between Runtime.Region and its end
	Loop                 // a call of a loop
	Chain                // a call of several loops at once
	Compile              // waiting for a compiler
	Wait                 // waiting for other ranks
	ToDevice             // a transfer
	ToHost
)

// Kinds are the names of the kinds.
var Kinds = []string{"region", "loop", "chain", "compile", "wait", "to device", "to host"}

// Event is something that took time.
type Event struct {
	Kind  Kind
	Name  string
	Start time.Duration // since the timeline began
	Took  time.Duration
	Bytes int64 // that a loop moves at least, a transfer moves, or an update of halos sends; 0: none, or unknown
}

// Most is the number of events that a runtime keeps: the last ones.
const Most = 1 << 14

// Timeline holds the last events, and sums of the program's regions. One goroutine at a time may use it.
type Timeline struct {
	began   time.Time
	ring    []Event // of most, when full; the oldest is at seen % most
	most    int
	seen    int
	regions []*Sum
}

// Sum is the time of all calls of a region.
type Sum struct {
	Name  string
	Calls int64
	Time  time.Duration
}

// New returns an empty timeline of at most that many events, which begins now.
func New(most int) *Timeline { return &Timeline{began: time.Now(), most: most} }

// Began returns when the timeline began.
func (t *Timeline) Began() time.Time { return t.began }

// Now returns the time since the timeline began.
func (t *Timeline) Now() time.Duration {
	if t == nil {
		return 0
	}
	return time.Since(t.began)
}

// Add records an event that ends now.
func (t *Timeline) Add(kind Kind, name string, start time.Duration, bytes int64) {
	if t != nil {
		t.addEnded(kind, name, start, bytes)
	}
}

func (t *Timeline) addEnded(kind Kind, name string, start time.Duration, bytes int64) {
	t.add(Event{kind, name, start, t.Now() - start, bytes})
}

// Ended records an event that ends now and took that long, if it took any time.
func (t *Timeline) Ended(kind Kind, name string, took time.Duration) {
	if t != nil && took > 0 {
		t.add(Event{kind, name, max(0, t.Now()-took), took, 0})
	}
}

func (t *Timeline) add(e Event) {
	if len(t.ring) < t.most {
		t.ring = append(t.ring, e)
	} else {
		t.ring[t.seen%t.most] = e
	}
	t.seen++
}

// Begin begins a region, which ends when the function that it returns is called for the first time.
func (t *Timeline) Begin(name string) (end func()) {
	start, ended := t.Now(), t == nil
	return func() {
		if ended {
			return
		}
		ended = true
		t.Add(Region, name, start, 0)
		i := slices.IndexFunc(t.regions, func(s *Sum) bool { return s.Name == name })
		if i < 0 {
			i = len(t.regions)
			t.regions = append(t.regions, &Sum{Name: name})
		}
		t.regions[i].Calls++
		t.regions[i].Time += t.Now() - start
	}
}

// Events returns a copy of the events in the order in which they began, those that contain others first, and the number
// of earlier ones that have been dropped.
func (t *Timeline) Events() (all []Event, dropped int) {
	if t == nil {
		return nil, 0
	}
	all = slices.Clone(t.ring)
	sorting.By(all, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.Took, a.Took)) })
	return all, t.seen - len(all)
}

// Regions returns the sums of the regions, in the order in which they first ended.
func (t *Timeline) Regions() (all []Sum) {
	if t == nil {
		return nil
	}
	for _, s := range t.regions {
		all = append(all, *s)
	}
	return all
}

// Reset drops all events and sums. The time goes on.
func (t *Timeline) Reset() {
	if t != nil {
		t.ring, t.seen, t.regions = nil, 0, nil
	}
}
