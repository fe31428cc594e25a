package main

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/plot"
)

const (
	tileColors   = 9 // that tiles have in turn: those of plot.Category that are not gray
	panelColumns = 3
	panelWidth   = 600
)

// draw draws a panel for each loop, its elements in the color of their tile. Tiles of seams are gray.
func (p *chainPlan) draw(path, points string, view plot.Rect) error {
	at, err := coordinates(p.mesh, points)
	if err != nil {
		return fmt.Errorf("no picture: %w", err)
	}
	g := newGeometry(p.mesh, at)
	var panels []plot.Panel
	for l := range p.in.Loops {
		panel, err := p.panel(g, l, view)
		if err != nil {
			return fmt.Errorf("no picture: %w", err)
		}
		panels = append(panels, panel)
	}
	picture, err := plot.Panels(panelColumns, panels...)
	if err != nil {
		return err
	}
	return plot.Save(path, picture)
}

// panel returns the picture of one loop.
func (p *chainPlan) panel(g *geometry, l int, view plot.Rect) (plot.Panel, error) {
	in, loop := p.in.Loops[l], p.chain.Loops[l]
	s, err := g.shapes(p.chain.Sets[in.Set], within(in.First, in.Last, in.Subset))
	if err != nil {
		return plot.Panel{}, err
	}
	f, tiles := p.figures(l)
	classes := min(tileColors, max(1, p.Tiles()))
	values := make([]float64, f.elements)
	for e, tile := range p.tilesOf(l) {
		values[e] = float64(int(tile) % classes)
		if p.stages[tile] > 0 {
			values[e] = math.NaN()
		}
	}
	o := plot.Options{
		Title:    fmt.Sprintf("%d. %s over %s", l+1, loop.Kernel, loop.Over),
		Subtitle: fmt.Sprintf("%d elements in %s; gray: %s in seams", f.elements, problem.Count(tiles, "tile"), f.share()),
		Label:    "Tile",
		Classes:  classes,
		Width:    panelWidth,
		View:     view,
	}
	if p.Tiles() > classes {
		o.Label = fmt.Sprintf("Tile, modulo %d", classes)
	}
	return plot.Panel{Field: plot.Field{Mesh: s.mesh, Values: values}, Options: o}, nil
}

// drawChain prints the figures of a chain and draws it.
func drawChain(c console, all []*record.Runtime, of chosenChain, path, points string, view plot.Rect) error {
	p, err := of.of(all)
	if err != nil {
		return err
	}
	if err := p.describe(c.results); err != nil || path == "" {
		return err
	}
	if err := p.draw(path, points, view); err != nil {
		return err
	}
	return c.wrote(path)
}
