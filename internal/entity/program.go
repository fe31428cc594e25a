package entity

import (
	"fmt"
	"strings"
	"weak"

	"github.com/go-op2/op2/internal/loop"
)

// Program lists the data and the maps that the program itself has declared, without the library's own, by names that are
// the same in each run.
type Program struct {
	data   []Named
	alive  int // at the last sweep
	serial int
	shapes map[string][]Shape // by name
	maps   map[string]int     // how many have been declared, by name
	final  bool

	conditions      []namedConditions
	conditionsAlive int            // at the last sweep
	conditionsOf    map[string]int // how many have been declared, by description

	serials // of what is no data
}

// Named is a dat, a global or a matrix of the program.
type Named struct {
	Name   string // "dat q on cells"
	Nth    int    // of those with that name, from 0
	Shape  string // "4 float64 for each of 12000 cells"
	Late   bool   // it was declared after the others were final
	Serial int    // of the declaration, which is the same on all ranks
	Data   weak.Pointer[Data]
}

// Shape is that of a number of data of one name, one after another.
type Shape struct {
	Shape string
	Count int
}

// Program returns the data that the program has declared.
func (rt *Runtime) Program() *Program { return &rt.program }

// Declare records data that the program has declared.
func (p *Program) Declare(d *Data) {
	n := Named{Name: d.Describe(), Late: p.final, Serial: p.serial, Data: weak.Make(d)}
	p.serial++
	if n.Late {
		p.add(n)
		return
	}
	n.Shape = d.Form()
	if p.shapes == nil {
		p.shapes = map[string][]Shape{}
	}
	list := p.shapes[n.Name]
	for _, s := range list {
		n.Nth += s.Count
	}
	if last := len(list) - 1; last >= 0 && list[last].Shape == n.Shape {
		list[last].Count++
	} else {
		list = append(list, Shape{n.Shape, 1})
	}
	p.shapes[n.Name] = list
	p.add(n)
}

func (p *Program) add(n Named) {
	p.data = append(swept(p.data, &p.alive, func(n Named) bool { return n.Data.Value() == nil }), n)
}

// End makes the names final: data declared from now on is late.
func (p *Program) End() { p.final = true }

// All returns what is still reachable, and perhaps more.
func (p *Program) All() []Named { return p.data }

// Shapes returns the shapes of all that is not late, reachable or not, by name.
func (p *Program) Shapes() map[string][]Shape { return p.shapes }

// declareMap records a map that the program has declared.
func (p *Program) declareMap(m *Map) {
	addWeakly(&p.allMaps, m)
	if p.final {
		return
	}
	if p.maps == nil {
		p.maps = map[string]int{}
	}
	p.maps[m.What()]++
	m.nth = p.maps[m.What()]
}

// Maps yields the maps that the program declared before names were final, as far as they are reachable, by names of
// their own: "map edge2node from edges to nodes", "map edge2node from edges to nodes (2)".
func (rt *Runtime) Maps(yield func(name string, m *Map) bool) {
	for m := range Reachable(&rt.listed.maps) {
		if m.nth > 0 && !yield(Nth(m.What(), m.nth), m) {
			return
		}
	}
}

// Form describes the values: "4 float64 for each of 12000 cells".
func (d *Data) Form() string {
	text := fmt.Sprintf("%d %s", d.Dim(), FormOf(d.values.layout, d.scalar))
	switch d.kind {
	case loop.Dat:
		text += fmt.Sprintf(" for each of %d %s", d.set.Whole(), d.set.name)
	case loop.Mat:
		text = fmt.Sprintf("blocks of %d by %d %s", d.dim, d.ColDim(), d.scalar)
	}
	return text
}

// FormOf describes a value in memory: "float64", "State{.Rho float64, .U[0] float64}".
func FormOf(l *loop.Layout, scalar loop.Scalar) string {
	if l == nil {
		return scalar.String()
	}
	if l.Scalar != loop.Invalid {
		return l.Scalar.String()
	}
	var leaves []string
	for _, leaf := range l.Leaves() {
		leaves = append(leaves, strings.TrimSpace(leaf.Path+" "+leaf.Scalar.String()))
	}
	return l.String() + "{" + strings.Join(leaves, ", ") + "}"
}
