package fusetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/loop"
)

// RandomWorld is what random loops use: four dats on the elements, one on nodes that is read and one
// that is added to, a global that is added to and one that is read.
var RandomWorld = World{Elements: 301, Nodes: 97, Dims: []int{4, 1, 2, 3, 2, 2, 2, 1}, OnNodes: 4, Global: 6}

// Gam is the const that random kernels read.
var Gam = 1.4

// Random returns two or three loops with random kernels, and their source.
func Random(t testing.TB, seed uint64) ([]fuse.Part, string) {
	r := random{rand.New(rand.NewPCG(seed, 7))}
	w := &RandomWorld
	source := "var gam = 1.4\n"
	names, args := []string{"first", "second", "third"}[:2+r.IntN(2)], [][]Arg{}
	for _, n := range names {
		text, a := r.kernel(n, w)
		source, args = source+text, append(args, a)
	}
	var parts []fuse.Part
	for i, n := range names {
		parts = append(parts, w.Part(Kernel(t, source, n), args[i]...))
	}
	return parts, source
}

type random struct{ *rand.Rand }

func (r random) pick(list ...string) string { return list[r.IntN(len(list))] }

// value returns an expression of floats among those given.
func (r random) value(of []string, depth int) string {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(8) == 0 {
			return r.pick("gam", "0.5", "1.25")
		}
		return r.pick(of...)
	}
	x, y := r.value(of, depth-1), r.value(of, depth-1)
	switch r.IntN(8) {
	case 0:
		return "math.Sqrt(math.Abs(" + x + "))"
	case 1:
		return "min(" + x + ", " + y + ")"
	}
	return "(" + x + " " + r.pick("+", "-", "*", "*", "+") + " " + y + ")"
}

// kernel returns the source of a kernel, and its arguments.
func (r random) kernel(name string, w *World) (string, []Arg) {
	var args []Arg
	var params, readable, body []string
	var changed []int
	for d, dim := range w.Dims {
		if r.IntN(2) == 0 {
			continue
		}
		a := Arg{Data: d, Access: loop.Read}
		switch {
		case d < w.OnNodes:
			a.Access = []loop.Access{loop.Read, loop.Read, loop.Write, loop.RW, loop.Inc}[r.IntN(5)]
		case d < w.Global:
			a.Component = r.IntN(4)
		}
		if d == w.OnNodes+1 || d == w.Global {
			a.Access = loop.Inc
		}
		params = append(params, fmt.Sprintf("x%d *[%d]float64", d, dim))
		for c := range dim {
			if a.Access == loop.Read || a.Access == loop.RW {
				readable = append(readable, fmt.Sprintf("x%d[%d]", d, c))
			}
		}
		if a.Access != loop.Read {
			changed = append(changed, len(args))
		}
		args = append(args, a)
	}
	if len(readable) == 0 || len(changed) == 0 {
		return r.kernel(name, w)
	}
	if r.IntN(2) == 0 {
		body = append(body, "t := "+r.value(readable, 3), "_ = t")
		readable = append(readable, "t", "t")
	}
	for i, n := range changed {
		a := args[n]
		if i == len(changed)-1 && a.Access != loop.Write && r.IntN(4) == 0 {
			body = append(body, fmt.Sprintf("if %s < %s { return }", readable[0], r.value(readable, 1)))
		}
		op := "="
		if a.Access == loop.Inc {
			op = "+="
		}
		for c := range w.Dims[a.Data] {
			place := fmt.Sprintf("x%d[%d]", a.Data, c)
			body = append(body, place+" "+op+" "+r.value(readable, 3))
			if a.Access == loop.Write {
				readable = append(readable, place)
			}
		}
	}
	return fmt.Sprintf("func %s(%s) {\n\t%s\n}\n", name, strings.Join(params, ", "), strings.Join(body, "\n\t")), args
}
