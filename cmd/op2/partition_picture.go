package main

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/plot"
)

// mostClasses is the number of parts up to which each has a color of its own.
const mostClasses = 24

// drawParts draws the elements in the colors of their parts, or one part and its halo.
func (in *partitionInput) drawParts(path string, d *divided, part int, view plot.Rect, method string) error {
	owners, name := d.owners[in.drawnSet], in.names[in.drawnSet]
	values := make([]float64, len(owners))
	o := plot.Options{View: view, Edges: len(owners) <= mostEdges,
		Title:    fmt.Sprintf("%d parts by method %s", d.parts, method),
		Subtitle: fmt.Sprintf("%d %s", len(owners), name)}
	if f := d.figures.Cutting; f != nil {
		o.Subtitle += fmt.Sprintf("; a cut of %d %s", d.figures.Cut, in.names[f.From])
	}
	switch {
	case part >= 0:
		set := &d.figures.Sets[in.drawnSet]
		o.Title = fmt.Sprintf("Part %d of %d and its halo", part, d.parts)
		o.Subtitle = fmt.Sprintf("%d %s owned; %d executed, too; %d only read", set.Owned[part], name, set.Executed[part], set.Read[part])
		o.Label, o.Classes = "0 owned, 1 executed, 2 read", 3
		for e, state := range partition.Halo(in.mesh, d.owners, int32(part))[in.drawnSet] {
			values[e] = math.NaN()
			if state != partition.Elsewhere {
				values[e] = float64(state)
			}
		}
	case d.parts <= mostClasses:
		o.Label, o.Classes = "Part", d.parts
		for e, p := range owners {
			values[e] = float64(p)
		}
	default:
		colors, count := d.figures.Colors()
		o.Label, o.Classes = "Color of the part", count
		for e, p := range owners {
			values[e] = float64(colors[p])
		}
	}
	field, err := in.drawn(values)
	if err != nil {
		return fmt.Errorf("no picture: %w", err)
	}
	return plot.WriteFile(path, field, o)
}
