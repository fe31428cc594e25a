package codegen_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

var update = flag.Bool("update", false, "rewrite the sources in testdata")

// deviceLoops are loops whose device sources are in testdata, for reading.
var deviceLoops = []struct {
	file    string
	kernel  func(t *testing.T) *kernel.Kernel
	loop    loop.Loop
	options codegen.DeviceOptions
}{
	{"midpoint-direct.cl", midpoint, midpointLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.Direct, GroupSize: 256}},
	{"midpoint-packs.cl", midpoint, midpointLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.Blocks, GroupSize: 1, SIMD: tune.SIMDOn}},
	{"midpoint-staged.cl", midpoint, midpointLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.Staged, GroupSize: 256}},
	{"midpoint-staged.cu", midpoint, midpointLoop, codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: tune.Staged, GroupSize: 256, Columns: true}},
	{"flux-staged.cu", flux, fluxLoop, codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: tune.Staged, GroupSize: 128, Columns: true, LastCombines: true}},
	{"flux-in-place.cu", flux, fluxLoop, codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: tune.InPlace, GroupSize: 128, Columns: true}},
	{"relax-in-place.cl", relax, relaxLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.InPlace, GroupSize: 64}},
	{"flux-atomic.cu", flux, fluxLoop, codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: tune.Atomic, GroupSize: 256, Columns: true}},
	{"flux-atomic.cl", flux, fluxLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.Atomic, GroupSize: 256, Subset: true}},
	{"flux-global-color.cl", flux, fluxLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.GlobalColor, GroupSize: 256}},
	{"flux-blocks.cl", flux, fluxLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.Blocks, GroupSize: 1, LastCombines: true}},
	{"relax-staged.cl", relax, relaxLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.Staged, GroupSize: 64}},
	{"spread-gather.cu", spread, spreadLoop, codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: tune.Gather, GroupSize: 256}},
	{"scaled-scratchpad.cu", scaled, scaledLoop, codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: tune.Scratchpad, GroupSize: 256, Columns: true}},
	{"columns-atomic.cu", columns, columnsLoop, codegen.DeviceOptions{Dialect: codegen.CUDA, Strategy: tune.Atomic, GroupSize: 256, Columns: true}},
	{"table-direct.cl", table, tableLoop, codegen.DeviceOptions{Dialect: codegen.OpenCLC, Strategy: tune.Direct, GroupSize: 256, Poison: true}},
}

func float64s(dim int) loop.Data { return loop.Data{Kind: loop.Dat, Type: loop.Float64, Dim: dim} }

func columns(t *testing.T) *kernel.Kernel {
	return codegentest.FromGo(t, `
// k adds a layer's value and number to the corners below and above it.
func k(q *[2]float64, to *[4]float64, n *int) {
	for i := range to {
		to[i] += q[0] + float64(*n)*q[1]
	}
}`)
}

var columnsLoop = loop.Loop{
	Args: []loop.Arg{{Kind: loop.Dat, Access: loop.Read, Map: loop.Direct, ColMap: loop.Direct, Levels: 1}, {Kind: loop.Dat, Access: loop.Inc, Data: 1, Component: loop.All, ColMap: loop.Direct, Levels: 2},
		{Kind: loop.Index, Access: loop.Read, Data: -1, Map: loop.Direct, ColMap: loop.Direct}},
	Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 10, Column: 5, SoA: true}, {Kind: loop.Dat, Type: loop.Float64, Dim: 6, Column: 6}},
	Maps: []loop.Map{{Arity: 2}}, Layers: loop.Layers{Of: 5}, Levels: []loop.Levels{{First: []int{0}, Step: 1}, {First: []int{0, 1}, Step: 1}},
}

func midpoint(t *testing.T) *kernel.Kernel {
	return codegentest.FromGo(t, `
// k computes the centroid of a triangle.
func k(p *[2]float64, coords *[3][2]float64) {
	for d := range p {
		p[d] = (coords[0][d] + coords[1][d] + coords[2][d]) / 3
	}
}`)
}

var midpointLoop = loop.Loop{Kernel: "k",
	Args: []loop.Arg{codegentest.Dat(loop.Write, 0, loop.Direct, 0), codegentest.Dat(loop.Read, 1, 0, loop.All)},
	Data: []loop.Data{float64s(2), float64s(2)},
	Maps: []loop.Map{{Arity: 3}},
}

// flux changes two cells, and a reduction, and reads a const.
func flux(t *testing.T) *kernel.Kernel {
	return codegentest.FromGo(t, `
var gain float64
func k(x *[2]float64, q1, q2 *float64, res1, res2 *[2]float64, sum *float64) {
	f := gain * (*q1 - *q2)
	for d := range res1 {
		res1[d] += f * x[d]
		res2[d] -= f * x[d]
	}
	*sum += f * f
}`)
}

var fluxLoop = loop.Loop{Kernel: "k",
	Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.Read, 1, 0, 0), codegentest.Dat(loop.Read, 1, 0, 1),
		codegentest.Dat(loop.Inc, 2, 0, 0), codegentest.Dat(loop.Inc, 2, 0, 1), codegentest.Global(loop.Inc, 3)},
	Data: []loop.Data{float64s(2), float64s(1), {Kind: loop.Dat, Type: loop.Float64, Dim: 2, SoA: true},
		{Kind: loop.Global, Type: loop.Float64, Dim: 1}},
	Maps: []loop.Map{{Arity: 2}},
}

func spread(t *testing.T) *kernel.Kernel {
	return codegentest.FromGo(t, `
func k(w *float64, res *[2]float64) {
	res[0] += *w
	res[1] -= *w
}`)
}

var spreadLoop = loop.Loop{Kernel: "k",
	Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.Inc, 1, 0, loop.All)},
	Data: []loop.Data{float64s(1), float64s(1)},
	Maps: []loop.Map{{Arity: 2}},
}

// relax changes what it has read, which another element may have changed before.
func relax(t *testing.T) *kernel.Kernel {
	return codegentest.FromGo(t, `
func k(w *float64, mapped *[2]float64) {
	mapped[0] += *w * (mapped[1] - mapped[0])
}`)
}

var relaxLoop = loop.Loop{Kernel: "k",
	Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.RW, 1, 0, 0)},
	Data: []loop.Data{float64s(1), float64s(2)},
	Maps: []loop.Map{{Arity: 1}},
}

// scaled reads, changes and increments several values of each element.
func scaled(t *testing.T) *kernel.Kernel {
	return codegentest.FromGo(t, `
func k(w *float64, old, q *[4]float64, sum *[3]float64) {
	for i := range q {
		q[i] = *w * old[i]
		sum[i%3] += q[i]
	}
}`)
}

var scaledLoop = loop.Loop{Kernel: "k",
	Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.Read, 1, loop.Direct, 0),
		codegentest.Dat(loop.Write, 2, loop.Direct, 0), codegentest.Dat(loop.Inc, 3, loop.Direct, 0)},
	Data: []loop.Data{float64s(1), float64s(4), float64s(4), float64s(3)},
}

// table may fail: its subscript is not known to be in range.
func table(t *testing.T) *kernel.Kernel {
	return codegentest.FromGo(t, `
func k(at *int32, values *[4]float64, out *float64) {
	for i := int32(0); i < *at; i++ {
		*out = values[*at-i]
	}
}`)
}

var tableLoop = loop.Loop{Kernel: "k",
	Args: []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Global(loop.Read, 1), codegentest.Dat(loop.Write, 2, loop.Direct, 0)},
	Data: []loop.Data{{Kind: loop.Dat, Type: loop.Int32, Dim: 1}, {Kind: loop.Global, Type: loop.Float64, Dim: 4}, float64s(1)},
}

func TestDeviceGolden(t *testing.T) {
	for _, test := range deviceLoops {
		t.Run(test.file, func(t *testing.T) {
			text := device.Print(codegen.DeviceInput{Loop: &test.loop, Kernel: test.kernel(t), Options: test.options}).Text
			path := "testdata/device/" + test.file
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			codegentest.Expect(t, text, string(want))
		})
	}
}

// The source's parameters match the program's description.
func TestDeviceParams(t *testing.T) {
	for _, test := range deviceLoops {
		p := device.Print(codegen.DeviceInput{Loop: &test.loop, Kernel: test.kernel(t), Options: test.options})
		seen := map[codegen.Slot]bool{}
		for _, s := range p.Params {
			if seen[s] {
				t.Errorf("%s: slot %v is there twice", test.file, s)
			}
			seen[s] = true
		}
		_, signature, _ := strings.Cut(p.Text, p.Entry+"(")
		signature, _, _ = strings.Cut(signature, ")")
		if n := strings.Count(signature, ",") + 1; n != len(p.Params) {
			t.Errorf("%s: the kernel has %d parameters, the program says %d", test.file, n, len(p.Params))
		}
	}
}
