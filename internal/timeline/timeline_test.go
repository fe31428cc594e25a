package timeline

import (
	"slices"
	"testing"
	"time"
)

// The last events stay, in the order in which they began; a region begins before what is in it, and ends after.
func TestLastEventsStay(t *testing.T) {
	l := New(3)
	end := l.Begin("step")
	for _, name := range []string{"a", "b", "c"} {
		l.Add(Loop, name, l.Now(), 8)
	}
	end()
	end()
	events, dropped := l.Events()
	var names []string
	for _, e := range events {
		names = append(names, Kinds[e.Kind]+" "+e.Name)
	}
	if want := []string{"region step", "loop b", "loop c"}; !slices.Equal(names, want) || dropped != 1 {
		t.Errorf("%q, and %d were dropped", names, dropped)
	}
	if r := l.Regions(); len(r) != 1 || r[0].Name != "step" || r[0].Calls != 1 || r[0].Time <= 0 {
		t.Errorf("regions: %v", r)
	}
	l.Reset()
	if events, dropped := l.Events(); len(events)+dropped+len(l.Regions()) > 0 {
		t.Error("something is left")
	}
}

func TestNilRecordsNothing(t *testing.T) {
	var l *Timeline
	l.Begin("step")()
	l.Add(Loop, "a", l.Now(), 8)
	l.Ended(Wait, "a", time.Second)
	l.Reset()
	if events, dropped := l.Events(); len(events)+dropped+len(l.Regions()) > 0 {
		t.Error("something was recorded")
	}
	if n := testing.AllocsPerRun(10, func() { l.Add(Loop, "a", l.Now(), 8) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkOff is what each call of a loop pays without a report: run it with -bench.
func BenchmarkOff(b *testing.B) {
	var l *Timeline
	for b.Loop() {
		l.Add(Loop, "a", l.Now(), 8)
	}
}

func BenchmarkOn(b *testing.B) {
	l := New(Most)
	for b.Loop() {
		l.Add(Loop, "a", l.Now(), 8)
	}
}
