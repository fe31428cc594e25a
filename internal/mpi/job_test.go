package mpi

import (
	"testing"
	"time"
)

// Ranks that all wait cannot go on, unless all of one Comm wait in it: these may be exchanging much.
func TestAllWait(t *testing.T) {
	long := time.Now().Add(-time.Minute)
	in := func(name string, of int) *waiting { return &waiting{Where: "Compute", In: name, Of: of, heard: long} }
	for _, c := range []struct {
		what string
		slow []*waiting
		want bool
	}{
		{"one rank computes", []*waiting{in("all#1", 4), in("all#1", 4), in("all#1", 4)}, false},
		{"all exchange", []*waiting{in("all#1", 4), in("all#1", 4), in("all#1", 4), in("all#1", 4)}, false},
		{"a team exchanges, the others wait for it", []*waiting{in("all#1", 4), in("all#1", 4), in("all/0#2", 2), in("all/0#2", 2)}, false},
		{"two teams exchange", []*waiting{in("all/1#2", 2), in("all/1#2", 2), in("all/0#2", 2), in("all/0#2", 2)}, false},
		{"in a circle", []*waiting{in("all#1", 4), in("all/0#2", 2), in("all#1", 4), in("all#1", 4)}, true},
		{"one of each team waits for all", []*waiting{in("all#1", 4), in("all/0#2", 2), in("all#1", 4), in("all/1#2", 2)}, true},
		{"in Open", []*waiting{in("all#1", 4), in("all#0", 4), in("all#1", 4), in("all#1", 4)}, true},
		{"not for long", []*waiting{in("all#1", 4), {In: "all#0", Of: 4, heard: time.Now()}, in("all#1", 4), in("all#1", 4)}, false},
	} {
		job := &Comm{size: 4, slow: map[int]*waiting{}}
		for rank, w := range c.slow {
			job.slow[rank] = w
		}
		if _, err := job.allWait(12 * time.Second); (err != nil) != c.want {
			t.Errorf("%s: error %v", c.what, err)
		}
	}
}
