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

// Random returns two or three loops with random kernels, some of which are in C, and their source.
func Random(t testing.TB, seed uint64) ([]fuse.Part, string) {
	r := random{Rand: rand.New(rand.NewPCG(seed, 7))}
	w := &RandomWorld
	source := ""
	var parts []fuse.Part
	for _, name := range []string{"first", "second", "third"}[:2+r.IntN(2)] {
		r.words = inGo
		if r.IntN(3) == 0 {
			r.words = inC
		}
		text, args := r.kernel(name, w)
		parts, source = append(parts, w.Part(Kernel(t, r.head+text, name), args...)), source+text
	}
	return parts, source
}

type random struct {
	*rand.Rand
	words
}

// words are what languages write differently.
type words struct {
	head, kernel, end   string
	params              []string
	declare, use, leave string
	root, least         string
}

var (
	inGo = words{
		head: "var gam = 1.4\n", kernel: "func", end: "\n", params: []string{"%s *[%d]float64"},
		declare: "t := %s", use: "_ = t", leave: "if %s < %s { return }", root: "math.Sqrt(math.Abs(%s))", least: "min(%s, %s)",
	}
	inC = words{
		kernel: "void", end: ";\n", params: []string{"double %s[%d]", "double *%s /* %d */", "double %s[/* %d */]", "double %s[3 + %d]"},
		declare: "double t = %s;", use: "(void)t;", leave: "if (%s < %s) return;", root: "sqrt(fabs(%s))", least: "fmin(%s, %s)",
	}
)

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
		return fmt.Sprintf(r.root, x)
	case 1:
		return fmt.Sprintf(r.least, x, y)
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
		params = append(params, fmt.Sprintf(r.pick(r.params...), fmt.Sprint("x", d), dim))
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
		body = append(body, fmt.Sprintf(r.declare, r.value(readable, 3)), r.use)
		readable = append(readable, "t", "t")
	}
	for i, n := range changed {
		a := args[n]
		if i == len(changed)-1 && a.Access != loop.Write && r.IntN(4) == 0 {
			body = append(body, fmt.Sprintf(r.leave, readable[0], r.value(readable, 1)))
		}
		op := "="
		if a.Access == loop.Inc {
			op = "+="
		}
		for c := range w.Dims[a.Data] {
			place := fmt.Sprintf("x%d[%d]", a.Data, c)
			body = append(body, place+" "+op+" "+r.value(readable, 3)+r.end)
			if a.Access == loop.Write {
				readable = append(readable, place)
			}
		}
	}
	return fmt.Sprintf("%s %s(%s) {\n\t%s\n}\n", r.words.kernel, name, strings.Join(params, ", "), strings.Join(body, "\n\t")), args
}
