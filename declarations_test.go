package op2_test

import (
	"bytes"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// All that is declared is listed, by kinds, with its size and memory.
func TestWriteDeclarations(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	nodes, edges := optest.NewSet(t, rt, 1000, "nodes"), optest.NewSet(t, rt, 2000, "edges")
	ends := optest.NewMap(t, edges, nodes, 2, make([]int32, 4000), "ends")
	q := optest.NewDat[float32](t, nodes, 3, nil, "q")
	rms := optest.NewGlobal(t, rt, "rms", 0.0, 0.0)
	gam, table := 1.4, [3]int64{}
	op2.NewConst(rt, "table", &table)
	op2.NewConst(rt, "gam", &gam)
	a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: ends, Cols: ends}}, 1, 1, "pattern"), "a")
	optest.OK(t, rt.Err())
	want := `kind    name   on              holds          elements  MB
set     nodes                                 1000      0.000
set     edges                                 2000      0.000
map     ends   edges to nodes  2 each         2000      0.016
dat     q      nodes           3 float32      1000      0.012
global  rms                    2 float64      1         0.000
mat     a      nodes by nodes  1 x 1 float64  1000      0.008
const   gam                    float64        1         0.000
const   table                  [3]int64       1         0.000
0.036 MB of values in all
`
	var text strings.Builder
	optest.OK(t, rt.WriteDeclarations(&text))
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", &text, want)
	}
	runtime.KeepAlive([]any{nodes, edges, ends, q, rms, a})
	optest.ExpectError(t, rt.WriteDeclarations(nil), "op2: WriteDeclarations needs a runtime and a writer")
	optest.ExpectError(t, (*op2.Runtime)(nil).WriteDeclarations(&text), "op2: WriteDeclarations needs a runtime and a writer")
}

// What the program no longer has is not listed, nor kept alive by the list.
func TestDeclarationsThatAreGone(t *testing.T) {
	rt := optest.OpenBackend(t, "go")
	nodes := optest.NewSet(t, rt, 10, "nodes")
	for range 1000 {
		optest.NewDat[float64](t, nodes, 1, nil, "gone")
	}
	runtime.GC()
	kept := optest.NewDat[float64](t, nodes, 1, nil, "kept")
	var text strings.Builder
	optest.OK(t, rt.WriteDeclarations(&text))
	if n := strings.Count(text.String(), "gone"); n > 1 || !strings.Contains(text.String(), "kept") {
		t.Errorf("%d dats that are gone are listed:\n%s", n, &text)
	}
	runtime.KeepAlive(kept)
}

// On ranks, one table has the whole mesh, and what the ranks have of it, once it has been distributed.
func TestDeclarationsOfRanks(t *testing.T) {
	optest.Ranks(t, 3, optest.Open, func(t *testing.T, open optest.Opener) {
		m := newRing(t, open(t, op2.WithBackend("go")), 10)
		for i, want := range []string{
			`kind    name  on              holds      elements  on a rank  halo  MB
set     cells                            10        10         0     0.000
map     next  cells to cells  1 each     10        10         0     0.000
`, `kind    name  on              holds      elements  on a rank  halo    MB
set     cells                            10        3 to 4     2       0.000
map     next  cells to cells  1 each     10        3 to 4     2       0.000
`} {
			var text strings.Builder
			optest.OK(t, m.rt.WriteDeclarations(&text))
			if got := text.String(); m.rt.Rank() > 0 && got != "" || m.rt.Rank() == 0 && !strings.HasPrefix(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(want, " ", "")) {
				t.Errorf("rank %d got\n%swant\n%s", m.rt.Rank(), got, want)
			}
			if i == 0 {
				optest.OK(t, m.rt.Partition())
			}
		}
	})
}

// Levels of diagnostics write what is declared, once, and each call.
func TestDiagsLevels(t *testing.T) {
	times := regexp.MustCompile(`[0-9.]+(ns|µs|ms|s)\n`)
	const declared = `op2: declared on go:
kind  name   on     holds      elements  MB
set   cells                    5         0.000
dat   q      cells  4 float64  5         0.000
dat   r      cells  4 float64  5         0.000
0.000 MB of values in all
`
	const calls = "op2: loop keep4 over cells, call 1: 5 elements, TIME\nop2: loop keep4 over cells, call 2: 5 elements, TIME\nop2: loop keep4 over cells, call 3: 5 elements, TIME\nop2: loop keep4 over some, call 1: 2 elements, TIME\n"
	for level, want := range map[string]string{"off": "", "on": "", "1": declared, "plans": declared, "3": declared, "trace": declared + calls} {
		t.Setenv("OP2_DIAGS", level)
		var log bytes.Buffer
		rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(&log)))
		cells := optest.NewSet(t, rt, 5, "cells")
		q, r := optest.NewDat[float64](t, cells, 4, nil, "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
		k := op2.Kernels(mirrorSource).Func(keep4)
		optest.Run(t, k, cells, q.Read(), r.Write())
		optest.Run(t, k, cells, q.Read(), r.Write())
		optest.Run(t, k, cells, r.Read(), q.Write())
		optest.OK(t, op2.ParLoop(k, op2.NewSubset(cells, []int{1, 3}, "some"), q.Read(), r.Write()))
		if got := times.ReplaceAllString(log.String(), "TIME\n"); got != want {
			t.Errorf("OP2_DIAGS=%s: got\n%swant\n%s", level, got, want)
		}
	}
}
