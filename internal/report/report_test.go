package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/timeline"
)

// sample is a report of two ranks.
func sample() *Report {
	loop := Loop{Kernel: "flux", Set: "edges", Calls: 2, Seconds: 0.5, Bytes: 1e9, Flops: 25e7, GBs: 2, Messages: 3, Sent: 400, How: "packs of 8, 2 threads", Code: "found", Choices: "width=8 (user)"}
	events := &Timeline{Began: 1000, Kinds: []string{"region", "loop", "chain", "compile", "wait"}, Names: []string{"step", "flux"},
		Events: [][5]int64{{0, 0, 0, 9000, 0}, {1, 1, 2000, 4000, 5e8}}}
	later := *events
	later.Began = 3000
	return &Report{Program: "</script><b>&", Triad: 8, Backend: "go", Codes: []Code{{Kernel: "flux", Set: "edges", Source: "func flux() { a < b }"}},
		Ranks: []Rank{{Rank: 0, Host: "a", Triad: 4, Loops: []Loop{loop}, Memory: []Memory{}, Timeline: events},
			{Rank: 1, Host: "b", Triad: 4, Loops: []Loop{}, Memory: []Memory{}, Timeline: &later}}}
}

func text(t *testing.T, file string, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, file, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCSV(t *testing.T) {
	want := `rank,kernel,set,calls,seconds,bytes,flops,gb_per_s,of_triad,compile_seconds,waited_for_threads_seconds,waited_for_ranks_seconds,messages,halo_bytes_sent,how,code,choices
0,flux,edges,2,0.5,1000000000,250000000,2,0.5,0,0,0,3,400,"packs of 8, 2 threads",found,width=8 (user)
`
	if got := text(t, "out.CSV", sample()); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestJSONIsTheReport(t *testing.T) {
	var got Report
	if err := json.Unmarshal([]byte(text(t, "out.json", sample())), &got); err != nil || !reflect.DeepEqual(&got, sample()) {
		t.Errorf("%v: %+v", err, got)
	}
}

// tracedEvent is an event of the Trace Event Format.
type tracedEvent struct {
	Name, Ph, Cat string
	Pid, Tid      int
	Ts, Dur       float64
	Args          struct{ Name string }
}

func trace(t *testing.T, r *Report) []tracedEvent {
	t.Helper()
	var got struct {
		Events []tracedEvent `json:"traceEvents"`
	}
	if err := json.Unmarshal([]byte(text(t, "out.trace.json", r)), &got); err != nil {
		t.Fatal(err)
	}
	return got.Events
}

// Ranks are processes whose events begin with the first of them; loops are below regions.
func TestTrace(t *testing.T) {
	found := 0
	for _, e := range trace(t, sample()) {
		if e.Ph == "X" && e.Name == "flux" {
			rank := e.Pid/1000 - 1
			if found++; e.Cat != "loop" || e.Tid != e.Pid+1 || nanoseconds(e.Ts) != int64(2000+2000*rank) || nanoseconds(e.Dur) != 4000 {
				t.Errorf("%+v", e)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d events of the loop", found)
	}
}

// nanoseconds reads a time as Perfetto does.
func nanoseconds(micros float64) int64 { return int64(micros * 1000) }

// checkTrace checks what Perfetto's importer demands of events: processes and threads have numbers other than 0 and names before
// their events, no two processes have a thread of the same number, and events of a thread begin in order and are nested or apart.
// It returns how many events there are.
func checkTrace(t *testing.T, all []tracedEvent) (events int) {
	t.Helper()
	processes, threads, of := map[int]string{}, map[int]string{}, map[int]int{}
	open, last := map[int][]int64{}, map[int]int64{}
	for _, e := range all {
		if p, known := of[e.Tid]; e.Pid <= 0 || e.Tid <= 0 || known && p != e.Pid {
			t.Fatalf("process %d, thread %d, which is of process %d: %+v", e.Pid, e.Tid, p, e)
		}
		of[e.Tid] = e.Pid
		switch {
		case e.Ph == "M" && e.Name == "process_name":
			processes[e.Pid] = e.Args.Name
			continue
		case e.Ph == "M" && e.Name == "thread_name":
			threads[e.Tid] = e.Args.Name
			continue
		case e.Ph != "X" || e.Name == "" || e.Cat == "" || processes[e.Pid] == "" || threads[e.Tid] == "":
			t.Fatalf("%+v", e)
		}
		events++
		start, end := nanoseconds(e.Ts), nanoseconds(e.Ts)+nanoseconds(e.Dur)
		if start < last[e.Tid] || end < start {
			t.Fatalf("%+v begins before the one before, at %d", e, last[e.Tid])
		}
		last[e.Tid] = start
		within := open[e.Tid]
		for len(within) > 0 && within[len(within)-1] <= start {
			within = within[:len(within)-1]
		}
		if len(within) > 0 && within[len(within)-1] < end {
			t.Fatalf("%+v ends after the one that it is in, at %d", e, within[len(within)-1])
		}
		open[e.Tid] = append(within, end)
	}
	return events
}

// Any events make a trace from which Perfetto drops none, also those that overlap, as regions that end in another order do.
func TestTraceNests(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := r.IntN(200)
		whole := sample()
		for i := range whole.Ranks {
			line := &Timeline{Began: 1<<60 + r.Int64N(1e6), Kinds: timeline.Kinds, Names: []string{"a", "b"}}
			for range n {
				line.Events = append(line.Events, [5]int64{r.Int64N(int64(len(timeline.Kinds))), r.Int64N(2), r.Int64N(4e5), r.Int64N(1e5) * r.Int64N(2), 1})
			}
			slices.SortFunc(line.Events, func(a, b [5]int64) int { return cmp.Or(cmp.Compare(a[2], b[2]), cmp.Compare(b[3], a[3])) })
			whole.Ranks[i].Timeline = line
		}
		if got := checkTrace(t, trace(t, whole)); got != 2*n {
			t.Fatalf("%d of %d events", got, 2*n)
		}
	}
}

// No text of a program becomes a part of the page, which loads nothing.
func TestPageIsClosed(t *testing.T) {
	page := text(t, "out.html", sample())
	if strings.Contains(page, "<b>&") || strings.Count(page, "</script>") != 2 || !strings.Contains(page, "default-src 'none'") {
		t.Error("the program's name is in the page as it is, or the page may load something")
	}
	if rest := strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""); strings.Contains(rest, "http:") || strings.Contains(rest, "https:") || strings.Contains(page, "{{") {
		t.Error("the page refers to something elsewhere, or has a gap")
	}
}

func TestNames(t *testing.T) {
	for file, want := range map[string]string{"a.html": "a-2.html", "a.trace.json": "a-2.trace.json", "b.JSON": "b-2.JSON"} {
		if got := Numbered(file, 2); got != want || Numbered(file, 1) != file || Check(file) != nil {
			t.Errorf("%s: %s", file, got)
		}
	}
	if err := Check("report.pdf"); err == nil || err.Error() != "expected a name that ends in .html, .json, .csv or .trace.json" {
		t.Error(err)
	}
}
