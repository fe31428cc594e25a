// Package fusetest makes loops to be fused in tests: over one set, with kernels in Go and in C that
// use the same data.
package fusetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
)

// World is float64 data that loops over some elements use: dats on the elements, then dats on nodes,
// which a map of arity 4 leads to, then globals.
type World struct {
	Elements, Nodes int
	Dims            []int // of the data
	OnNodes, Global int   // the first data on nodes, and the first global
}

// Count returns the number of elements of data d's set.
func (w *World) Count(d int) int {
	switch {
	case d >= w.Global:
		return 1
	case d >= w.OnNodes:
		return w.Nodes
	}
	return w.Elements
}

// Values returns new values of all data, always the same, and of the map.
func (w *World) Values() (data [][]float64, targets []int32) {
	r := rand.New(rand.NewPCG(1, 2))
	for d, dim := range w.Dims {
		v := make([]float64, w.Count(d)*dim+1) // memory goes on after the last value
		for i := range v {
			v[i] = 0.5 + r.Float64()
		}
		data = append(data, v[:len(v)-1])
	}
	targets = make([]int32, 4*w.Elements)
	for i := range targets {
		targets[i] = int32(min(w.Nodes-1, max(0, i/4*w.Nodes/w.Elements+r.IntN(9)-4)))
	}
	return data, targets
}

// Arg is an argument: data with an access, through a component of the map if it is on nodes.
type Arg struct {
	Data      int
	Access    loop.Access
	Component int
}

// Kernel translates a kernel of a source, without its head if that is in Go. The const gam is a
// float64.
func Kernel(t testing.TB, source, name string) *kernel.Kernel {
	t.Helper()
	if !strings.Contains(source, "func ") {
		k, err := fromc.Kernel(name, source, []kernel.Const{{Name: "gam", Type: kernel.Basic(loop.Float64)}})
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		return k
	}
	k, err := fromgo.Parse("package k; import \"math\"; var _ = math.Pi\n"+source).Kernel(name, "k.go", 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return k
}

// Part analyzes the kernel, and returns a loop with it over the elements. Data d is called d0, d1 and
// so on.
func (w *World) Part(k *kernel.Kernel, args ...Arg) fuse.Part {
	p := fuse.Part{Loop: &loop.Loop{Kernel: k.Name}, Kernel: k}
	for _, a := range args {
		at := slices.Index(p.Data, a.Data)
		if at < 0 {
			at = len(p.Data)
			kind := loop.Dat
			if a.Data >= w.Global {
				kind = loop.Global
			}
			p.Loop.Data = append(p.Loop.Data, loop.Data{Kind: kind, Type: loop.Float64, Dim: w.Dims[a.Data]})
			p.Data, p.Storages, p.Names = append(p.Data, a.Data), append(p.Storages, a.Data), append(p.Names, fmt.Sprint("d", a.Data))
		}
		m := loop.Direct
		if a.Data >= w.OnNodes && a.Data < w.Global {
			m = 0
			p.Loop.Maps, p.Maps = []loop.Map{{Arity: 4}}, []int{0}
		}
		p.Loop.Args = append(p.Loop.Args, loop.Arg{Kind: p.Loop.Data[at].Kind, Access: a.Access, Data: at, Map: m, ColMap: loop.Direct, Component: a.Component})
	}
	var shapes []kernel.Shape
	for _, a := range p.Loop.Args {
		shapes = append(shapes, kernel.ShapeOf(p.Loop, a))
	}
	kernel.Analyze(k, shapes)
	return p
}
