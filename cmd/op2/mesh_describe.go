package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-op2/op2/mesh"
)

// meshFigures says what a mesh consists of, and what its checks found.
type meshFigures struct {
	Nodes, Dim int
	Extents    []extent // of the coordinates
	Elements   []elementFigures
	Groups     []groupFigures
	Checks     []string // the problems; "no problems" if there are none
}

type extent struct{ Least, Greatest float64 }

// elementFigures are those of the elements of one kind.
type elementFigures struct {
	Kind    string
	Count   int
	Measure *extent `json:",omitempty"` // of cells: length, area or volume
	kind    mesh.Kind
}

// groupFigures are those of a group.
type groupFigures struct {
	Name            string
	Tag, Dim, Count int
	members         string
}

// figuresOf returns the figures of a mesh.
func figuresOf(m *mesh.Mesh) (*meshFigures, error) {
	measures, err := m.Measures()
	if err != nil {
		return nil, err
	}
	report, err := m.Check()
	if err != nil {
		return nil, err
	}
	f := &meshFigures{Nodes: m.Nodes(), Dim: m.Dim, Extents: extents(m), Checks: strings.Split(report.String(), "\n")}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		e := elementFigures{Kind: b.Kind.String(), Count: b.Len(), kind: b.Kind}
		if b.Kind.Dim() == m.CellDim() && b.Len() > 0 {
			of := measures[:b.Len()]
			measures = measures[b.Len():]
			e.Measure = &extent{slices.Min(of), slices.Max(of)}
		}
		f.Elements = append(f.Elements, e)
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		f.Groups = append(f.Groups, groupFigures{g.Name, g.Tag, g.Dim, g.Len(), membersOf(m, g)})
	}
	return f, nil
}

// write writes the figures for people.
func (f *meshFigures) write(out io.Writer) error {
	var text strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-20s%s\n", name, fmt.Sprintf(format, args...))
	}
	coordinates := ""
	for k, x := range f.Extents {
		coordinates += fmt.Sprintf(", %c %s", "xyz"[k], x)
	}
	line("nodes", "%d%s", f.Nodes, coordinates)
	for _, e := range f.Elements {
		note := ""
		if e.Measure != nil {
			note = ", " + [4]string{"", "length", "area", "volume"}[e.kind.Dim()] + " " + e.Measure.String()
		}
		line(plural(e.kind), "%d%s", e.Count, note)
	}
	for _, g := range f.Groups {
		name := g.Name
		if name == "" {
			name = fmt.Sprintf("(tag %d)", g.Tag)
		}
		line("group", "%s: %s", name, g.members)
	}
	for i, found := range f.Checks {
		line([]string{"checks", ""}[min(i, 1)], "%s", found)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// plural returns what several elements of a kind are called: "tetrahedra", or "tetrahedra (10)" of second order.
func plural(k mesh.Kind) string {
	name := k.Linear().String()
	if singular, found := strings.CutSuffix(name, "hedron"); found {
		name = singular + "hedra"
	} else {
		name += "s"
	}
	if k.Order() == 2 {
		name += fmt.Sprintf(" (%d)", k.Nodes())
	}
	return name
}

// extents returns the ranges of the coordinates.
func extents(m *mesh.Mesh) (all []extent) {
	for k := range m.Dim {
		var values []float64
		for n := range int32(m.Nodes()) {
			values = append(values, m.Point(n)[k])
		}
		if len(values) > 0 {
			all = append(all, extent{slices.Min(values), slices.Max(values)})
		}
	}
	return all
}

func (x extent) String() string {
	if low, high := fmt.Sprintf("%.4g", x.Least), fmt.Sprintf("%.4g", x.Greatest); low != high {
		return low + " to " + high
	}
	return fmt.Sprintf("%.4g", x.Least)
}

// membersOf describes what belongs to a group.
func membersOf(m *mesh.Mesh, g *mesh.Group) string {
	var parts []string
	for _, members := range g.Members {
		one, many := "node", "nodes"
		if members.Block >= 0 {
			kind := m.Blocks[members.Block].Kind
			one, many = kind.Linear().String(), plural(kind.Linear())
		}
		if n := len(members.Elements); n == 1 {
			parts = append(parts, "1 "+one)
		} else {
			parts = append(parts, fmt.Sprint(n, " ", many))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
