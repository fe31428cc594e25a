package report

import (
	"encoding/json"
	"io"

	"github.com/go-op2/op2/internal/timeline"
)

// traced is an event of the Trace Event Format, which Perfetto and chrome://tracing read.
type traced struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Kind  string         `json:"cat,omitempty"`
	Rank  int            `json:"pid"`
	Lane  int            `json:"tid"`
	Start float64        `json:"ts"` // in microseconds
	Took  *float64       `json:"dur,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// lanes are the rows of a rank: what is in one of them may be nested, and does not overlap otherwise.
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

// writeTrace writes the timelines of all ranks, which begin when the first does.
func writeTrace(w io.Writer, r *Report) error {
	events := []traced{}
	began := int64(0)
	for _, rank := range r.Ranks {
		if t := rank.Timeline; t != nil && (began == 0 || t.Began < began) {
			began = t.Began
		}
	}
	for _, rank := range r.Ranks {
		name := func(what, name string, lane int) {
			events = append(events, traced{Name: what, Phase: "M", Rank: rank.Rank, Lane: lane, Args: map[string]any{"name": name}})
		}
		name("process_name", rankName(&rank), 0)
		for i, l := range lanes {
			name("thread_name", l, i)
		}
		if rank.Timeline == nil {
			continue
		}
		for _, e := range rank.Timeline.Events {
			took := float64(e[3]) / 1e3
			t := traced{Name: rank.Timeline.Names[e[1]], Phase: "X", Kind: rank.Timeline.Kinds[e[0]], Rank: rank.Rank, Lane: lane(e[0]),
				Start: float64(e[2]+rank.Timeline.Began-began) / 1e3, Took: &took}
			if e[4] > 0 {
				t.Args = map[string]any{"bytes": e[4]}
			}
			events = append(events, t)
		}
	}
	return json.NewEncoder(w).Encode(struct {
		Events []traced `json:"traceEvents"`
		Unit   string   `json:"displayTimeUnit"`
	}{events, "ms"})
}
