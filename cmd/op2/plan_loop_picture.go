package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/plot"
)

// loopDrawing is the elements of a loop and their plan.
type loopDrawing struct {
	*shapes
	plan *loopPlan
}

// newLoopDrawing finds out where the elements of a loop are, by the dat of that name or one that looks
// like coordinates.
func newLoopDrawing(p *loopPlan, name string) (*loopDrawing, error) {
	points, err := coordinates(p.mesh, name)
	if err != nil {
		return nil, err
	}
	s, err := newGeometry(p.mesh, points).shapes(p.loop.Set, within(p.in.First, p.in.Last, p.loop.Subset))
	return &loopDrawing{s, p}, err
}

// draw draws all blocks by their colors to one file, and the elements of one by theirs to another.
func (d *loopDrawing) draw(c console, path string, view plot.Rect, block int) error {
	ext := filepath.Ext(path)
	blockPath := strings.TrimSuffix(path, ext) + "-block" + ext
	for _, picture := range []struct {
		path    string
		classes []float64
		options plot.Options
	}{
		{path, d.blockClasses(), d.blocksOptions(view)},
		{blockPath, d.elementClasses(block), d.blockOptions(block)},
	} {
		if err := plot.WriteFile(picture.path, plot.Field{Mesh: d.mesh, Values: picture.classes}, picture.options); err != nil {
			return err
		}
	}
	if err := c.wrote(path); err != nil {
		return err
	}
	return c.wrote(fmt.Sprintf("%s, of block %d", blockPath, block))
}

// blockClasses returns for each element the color of its block.
func (d *loopDrawing) blockClasses() []float64 {
	values := make([]float64, len(d.mesh.Cells)/mostCorners)
	for b, color := range d.plan.BlockColors {
		first, last := d.plan.Block(b)
		for e := first; e < last; e++ {
			values[e-d.plan.First] = float64(color)
		}
	}
	return values
}

// elementClasses returns for each element of a block its color in the block, and for others none.
func (d *loopDrawing) elementClasses(block int) []float64 {
	values := make([]float64, len(d.mesh.Cells)/mostCorners)
	for e := range values {
		values[e] = math.NaN()
	}
	first, last := d.plan.Block(block)
	for e := first; e < last; e++ {
		values[e-d.plan.First] = 0
		if d.plan.ElementColors != nil {
			values[e-d.plan.First] = float64(d.plan.ElementColors[e-d.plan.First])
		}
	}
	return values
}

func (d *loopDrawing) blocksOptions(view plot.Rect) plot.Options {
	f := d.plan.Report()
	each := fmt.Sprintf("%d", f.SmallColor)
	if f.LargeColor > f.SmallColor {
		each = fmt.Sprintf("%d to %d", f.SmallColor, f.LargeColor)
	}
	return plot.Options{
		Title: fmt.Sprintf("Blocks of %s that run together have one color", d.plan.loop.Over),
		Subtitle: fmt.Sprintf("%s: %d elements in %d blocks of %d; %d colors, of %s blocks each; at least %d are needed",
			d.plan.loop.Kernel, f.Elements, f.Blocks, f.BlockSize, f.Colors, each, f.ColorBound),
		Label:   "Color of the block",
		Classes: f.Colors,
		View:    view,
	}
}

// blockOptions say how one block is drawn: as large as it fits.
func (d *loopDrawing) blockOptions(block int) plot.Options {
	first, last := d.plan.Block(block)
	colors := 1
	if d.plan.ElementColorCounts != nil {
		colors = max(1, int(d.plan.ElementColorCounts[block]))
	}
	var xy []float64
	for _, n := range d.mesh.Cells[mostCorners*(first-d.plan.First) : mostCorners*(last-d.plan.First)] {
		xy = append(xy, d.mesh.XY[2*n:2*n+2]...)
	}
	r := bounds(xy)
	around := 0.03 * max(r.X1-r.X0, r.Y1-r.Y0)
	return plot.Options{
		Title:    fmt.Sprintf("Elements of block %d that run together have one color", block),
		Subtitle: fmt.Sprintf("%s over %s: %d elements; %d colors", d.plan.loop.Kernel, d.plan.loop.Over, last-first, colors),
		Label:    "Color of the element in its block",
		Classes:  colors,
		View:     plot.Rect{X0: r.X0 - around, Y0: r.Y0 - around, X1: r.X1 + around, Y1: r.Y1 + around},
	}
}
