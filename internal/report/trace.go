package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/go-op2/op2/internal/timeline"
)

// traced is an event of the Trace Event Format, which Perfetto and chrome://tracing read.
type traced struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Kind  string         `json:"cat,omitempty"`
	Rank  int            `json:"pid"` // see ofRank
	Track int            `json:"tid"`
	Start float64        `json:"ts"` // in microseconds
	Took  *float64       `json:"dur,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// lanes are the rows of a rank. What is in a row is nested or does not overlap: Perfetto drops other events. What overlaps, as
// regions may that a program ends in another order, is in further rows of the lane.
var lanes = []string{"regions", "loops", "waiting, compiling", "transfers"}

// lane returns the number of the row of a kind.
func lane(kind int64) int {
	switch timeline.Kind(kind) {
	case timeline.Region:
		return 0
	case timeline.Loop, timeline.Chain:
		return 1
	case timeline.Compile, timeline.Wait:
		return 2
	}
	return 3
}

// row is the ends of the events of a row that have begun last, each within the one before.
type row []int64

// takes reports whether an event fits into the row, whose earlier ones it has, and adds it.
func (r *row) takes(start, end int64) bool {
	open := *r
	for len(open) > 0 && open[len(open)-1] <= start {
		open = open[:len(open)-1]
	}
	if len(open) > 0 && open[len(open)-1] < end {
		return false
	}
	*r = append(open, end)
	return true
}

// ofRank returns the number of a rank as a process: those of its threads, which are its rows, follow. No process and no thread
// has the number of another one or 0, which means none in Perfetto.
func ofRank(rank int) int { return 1000 * (rank + 1) }

// micros returns nanoseconds in microseconds, and a little more: Perfetto multiplies by 1000 and cuts off the fraction, which
// must not be a nanosecond less.
func micros(ns int64) float64 { return (float64(ns) + 0.1) / 1e3 }

// writeTrace writes the timelines of all ranks, which begin when the first does.
func writeTrace(w io.Writer, r *Report) error {
	events := []traced{}
	began := int64(0)
	for _, rank := range r.Ranks {
		if t := rank.Timeline; t != nil && (began == 0 || t.Began < began) {
			began = t.Began
		}
	}
	for i := range r.Ranks {
		events = append(events, eventsOf(&r.Ranks[i], began)...)
	}
	return json.NewEncoder(w).Encode(struct {
		Events []traced `json:"traceEvents"`
		Unit   string   `json:"displayTimeUnit"`
	}{events, "ms"})
}

// eventsOf returns the events of a rank in the time since all began, after the names of its rows.
func eventsOf(rank *Rank, began int64) (events []traced) {
	process := ofRank(rank.Rank)
	name := func(what, name string, track int) {
		events = append(events, traced{Name: what, Phase: "M", Rank: process, Track: process + track, Args: map[string]any{"name": name}})
	}
	name("process_name", rankName(rank), 0)
	rows := make([]row, len(lanes)) // of each lane in turn
	for i, l := range lanes {
		name("thread_name", l, i)
	}
	if rank.Timeline == nil {
		return events
	}
	for _, e := range rank.Timeline.Events {
		at := lane(e[0])
		for ; !rows[at].takes(e[2], e[2]+e[3]); at += len(lanes) {
			if at+len(lanes) >= len(rows) {
				for i, l := range lanes {
					name("thread_name", fmt.Sprintf("%s, %d", l, len(rows)/len(lanes)+1), len(rows)+i)
				}
				rows = append(rows, make([]row, len(lanes))...)
			}
		}
		took := micros(e[3])
		t := traced{Name: rank.Timeline.Names[e[1]], Phase: "X", Kind: rank.Timeline.Kinds[e[0]], Rank: process, Track: process + at,
			Start: micros(e[2] + rank.Timeline.Began - began), Took: &took}
		if e[4] > 0 {
			t.Args = map[string]any{"bytes": e[4]}
		}
		events = append(events, t)
	}
	return events
}
