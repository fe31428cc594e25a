package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-op2/op2/mesh"
)

// describeMesh prints what a mesh consists of, and what its checks found.
func describeMesh(out io.Writer, m *mesh.Mesh) error {
	measures, err := m.Measures()
	if err != nil {
		return err
	}
	report, err := m.Check()
	if err != nil {
		return err
	}
	var text strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-20s%s\n", name, fmt.Sprintf(format, args...))
	}
	line("nodes", "%d%s", m.Nodes(), extents(m))
	for i := range m.Blocks {
		b := &m.Blocks[i]
		note := ""
		if b.Kind.Dim() == m.CellDim() && b.Len() > 0 {
			of := measures[:b.Len()]
			measures = measures[b.Len():]
			note = ", " + [4]string{"", "length", "area", "volume"}[m.CellDim()] + " " + between(slices.Min(of), slices.Max(of))
		}
		line(plural(b.Kind), "%d%s", b.Len(), note)
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		name := g.Name
		if name == "" {
			name = fmt.Sprintf("(tag %d)", g.Tag)
		}
		line("group", "%s: %s", name, membersOf(m, g))
	}
	for i, found := range strings.Split(report.String(), "\n") {
		line([]string{"checks", ""}[min(i, 1)], "%s", found)
	}
	_, err = io.WriteString(out, text.String())
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
func extents(m *mesh.Mesh) string {
	var text strings.Builder
	for k := range m.Dim {
		var values []float64
		for n := range int32(m.Nodes()) {
			values = append(values, m.Point(n)[k])
		}
		if len(values) > 0 {
			fmt.Fprintf(&text, ", %c %s", "xyz"[k], between(slices.Min(values), slices.Max(values)))
		}
	}
	return text.String()
}

// between describes a range.
func between(least, greatest float64) string {
	if low, high := fmt.Sprintf("%.4g", least), fmt.Sprintf("%.4g", greatest); low != high {
		return low + " to " + high
	}
	return fmt.Sprintf("%.4g", least)
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
