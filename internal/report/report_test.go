package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
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

// Ranks are processes whose events begin with the first of them; loops are below regions.
func TestTrace(t *testing.T) {
	var got struct {
		Events []struct {
			Name, Ph, Cat string
			Pid, Tid      int
			Ts, Dur       float64
		} `json:"traceEvents"`
	}
	if err := json.Unmarshal([]byte(text(t, "out.trace.json", sample())), &got); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range got.Events {
		if e.Ph == "X" && e.Name == "flux" {
			if found++; e.Cat != "loop" || e.Tid != 1 || e.Ts != 2+2*float64(e.Pid) || e.Dur != 4 {
				t.Errorf("%+v", e)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d events of the loop", found)
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
