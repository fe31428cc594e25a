package op2_test

import (
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/report"
)

//go:embed report_test.go
var reportSource string

// reportedSpread adds a node's value to its neighbor.
func reportedSpread(y, x *float64) { *y += *x }

// reported is a program with a region, whose loop runs some times.
func reported(rt *op2.Runtime) error {
	const n = 1000
	nodes := rt.NewSet(n, "nodes")
	next := make([]int32, n)
	for i := range next {
		next[i] = int32((i + 1) % n)
	}
	to := op2.NewMap(nodes, nodes, 1, next, "to")
	x, y := op2.NewDat(nodes, 1, make([]float64, n), "x"), op2.NewDat(nodes, 1, make([]float64, n), "y")
	if err := rt.Err(); err != nil {
		return err
	}
	defer rt.Region("run")()
	for range 10 {
		end := rt.Region("step")
		if err := op2.ParLoop(op2.Kernels(reportSource).Func(reportedSpread), nodes, y.Inc(to.At(0)), x.Read()); err != nil {
			return err
		}
		if err := op2.ParLoop(op2.Kernels(reportSource).Func(reportedSpread), nodes, x.Inc(to.At(0)), y.Read()); err != nil {
			return err
		}
		end()
	}
	_, err := y.DataRO()
	return err
}

// reportOf runs the program, and returns the report that it writes.
func reportOf(t *testing.T, file string, options ...op2.Option) *report.Report {
	t.Helper()
	rt := optest.Open(t, append(options, op2.WithReport(file))...)
	optest.OK(t, reported(rt))
	optest.OK(t, rt.Close())
	return readReport(t, file)
}

func readReport(t *testing.T, file string) *report.Report {
	t.Helper()
	var r report.Report
	if text := optest.Must(os.ReadFile(file)); strings.HasSuffix(file, ".json") {
		optest.OK(t, json.Unmarshal(text, &r))
	}
	return &r
}

// happened returns the number of events of a kind and a name.
func happened(r report.Rank, kind, name string) (n int) {
	for _, e := range r.Timeline.Events {
		if r.Timeline.Kinds[e[0]] == kind && strings.Contains(r.Timeline.Names[e[1]], name) {
			n++
		}
	}
	return n
}

// The report has the loops, the regions, the memory, the source of the kernel, and each call in the timeline.
func TestReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	all := reportOf(t, file, op2.WithBackend("go"))
	r := all.Ranks[0]
	switch {
	case len(r.Loops) != 1 || r.Loops[0].Calls != 20 || r.Loops[0].Seconds <= 0 || r.Loops[0].Bytes != 20*28000:
		t.Errorf("loops: %+v", r.Loops)
	case all.Triad <= 0 || r.Seconds <= 0 || all.Backend != "go":
		t.Errorf("%+v", all)
	case happened(r, "loop", "reportedSpread") != 20 || happened(r, "region", "step") != 10 || happened(r, "region", "run") != 1:
		t.Errorf("timeline: %+v", r.Timeline)
	case len(r.Regions) != 2 || r.Regions[0].Name != "step" || r.Regions[0].Calls != 10 || r.Regions[1].Seconds < r.Regions[0].Seconds:
		t.Errorf("regions: %+v", r.Regions)
	case !slices.Contains(r.Memory, report.Memory{Kind: "map", Name: "to", On: "nodes to nodes", Holds: "1 each", Bytes: 4000}):
		t.Errorf("memory: %+v", r.Memory)
	case len(all.Codes) != 1 || all.Codes[0].Source != "// reportedSpread adds a node's value to its neighbor.\nfunc reportedSpread(y, x *float64) { *y += *x }" || !strings.HasPrefix(all.Codes[0].At, "report_test.go:"):
		t.Errorf("code: %+v", all.Codes)
	}
	// A second runtime of the process leaves the first one's report.
	reportOf(t, file, op2.WithBackend("go"))
	readReport(t, strings.TrimSuffix(file, ".json")+"-2.json")
}

// Compiled loops show what they compile to, and how they are divided.
func TestReportHasGeneratedCode(t *testing.T) {
	optest.RequireCompiler(t)
	all := reportOf(t, filepath.Join(t.TempDir(), "out.json"), op2.WithBackend("openmp"), op2.WithThreads(2), op2.WithBlockSize(100))
	if c := all.Codes; len(c) != 1 || !strings.Contains(c[0].Generated, "reportedSpread(") || c[0].Plan == nil || c[0].Plan.Blocks < 10 || c[0].Plan.Colors < 1 {
		t.Errorf("%+v", c)
	}
}

// Ranks write one report, in which each has what it sent.
func TestReportOfRanks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	optest.OK(t, op2.RunRanks(3, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithReport(file))
		if err != nil {
			return err
		}
		defer rt.Close()
		return reported(rt)
	}))
	all := readReport(t, file)
	if len(all.Ranks) != 3 {
		t.Fatalf("%d ranks", len(all.Ranks))
	}
	for i, r := range all.Ranks {
		if r.Rank != i || r.Loops[0].Sent == 0 || happened(r, "wait", "reportedSpread") == 0 {
			t.Errorf("rank %d: %+v", i, r.Loops)
		}
	}
}

// Transfers of dats are in the timeline.
func TestReportHasTransfers(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
		file := filepath.Join(t.TempDir(), "out.json")
		rt := open(t, op2.WithReport(file))
		optest.OK(t, reported(rt))
		optest.OK(t, rt.WriteReport(file))
		if r := readReport(t, file).Ranks[0]; happened(r, "to host", "dat y") != 1 || r.Transfers.BytesToHost != 8000 || r.Triad != 0 {
			t.Errorf("%+v, transfers %+v", r.Timeline, r.Transfers)
		}
	})
}

// Without WithReport, there are the figures alone, and regions do nothing.
func TestWriteReport(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	optest.OK(t, reported(rt))
	file := filepath.Join(t.TempDir(), "out.json")
	optest.OK(t, rt.WriteReport(file))
	if all := readReport(t, file); len(all.Ranks[0].Loops) != 1 || all.Ranks[0].Timeline != nil || all.Codes != nil {
		t.Errorf("%+v", all)
	}
	optest.ExpectError(t, rt.WriteReport("report"), `op2: WriteReport: the report "report": expected a name that ends in .html, .json, .csv or .trace.json`)
	optest.ExpectError(t, (*op2.Runtime)(nil).WriteReport(file), "op2: WriteReport needs a runtime")
	optest.ExpectError(t, optest.Last(op2.Open(op2.WithReport("report.pdf"))), `op2: the report "report.pdf": expected a name that ends in .html, .json, .csv or .trace.json`)
	if err := rt.WriteReport(filepath.Join(file, "out.json")); err == nil || !strings.HasPrefix(err.Error(), "op2: WriteReport: ") {
		t.Error(err)
	}
	(*op2.Runtime)(nil).Region("none")()
}

// A browser draws the page: all its parts, in both schemes.
func TestReportInBrowser(t *testing.T) {
	optest.NotShort(t)
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		optest.Require(t, "chromium", "chromium and google-chrome are not on the PATH")
	}
	file := filepath.Join(t.TempDir(), "out.html")
	optest.OK(t, op2.RunRanks(2, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithReport(file))
		if err != nil {
			return err
		}
		defer rt.Close()
		return reported(rt)
	}))
	// What the keys do is tried by a script at the end of the page.
	page := string(optest.Must(os.ReadFile(file)))
	keys := `<script>document.querySelector(".loop").click(); for (const key of ["0", "n", "n", "+", "ArrowRight", "-"]) document.getElementById("time-canvas").dispatchEvent(new KeyboardEvent("keydown", {key}))</script></body>`
	optest.OK(t, os.WriteFile(file, []byte(strings.Replace(page, "</body>", keys, 1)), 0o666))
	for _, scheme := range []string{"0", "1"} { // dark, light
		cmd := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
			"--blink-settings=preferredColorScheme="+scheme, "--dump-dom", "file://"+file)
		cmd.WaitDelay = time.Second
		drawn, err := cmd.Output()
		optest.OK(t, err)
		dom := string(drawn)
		for _, want := range []string{`data-drawn="yes"`, ">reportedSpread<", "<circle", ` aria-expanded="true"`, "kernel, report_test.go:", ">halos sent<", ">step<", "Timeline of "} {
			if !strings.Contains(dom, want) {
				t.Errorf("no %s in the page", want)
			}
		}
		if at := strings.Index(dom, "data-failed="); at >= 0 {
			t.Errorf("a part of the page failed: %.200s", dom[at:])
		}
		_, event, _ := strings.Cut(dom, `id="time-event" role="status">`)
		if !strings.HasPrefix(event, "region ") && !strings.HasPrefix(event, "loop ") && !strings.HasPrefix(event, "wait ") {
			t.Errorf("the key n chooses %.60q", event)
		}
	}
}
