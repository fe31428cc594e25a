package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/plot"
)

// tiles are the elements of a loop as polygons.
type tiles struct {
	plan *loopPlan
	mesh plot.Mesh
}

// coordinateNames are what dats of coordinates are usually called.
var coordinateNames = []string{"x", "xy", "xyz", "coords", "coordinates", "coord", "pos", "position", "positions", "points", "vertices"}

// newTiles finds out where the elements of a loop are: by the dat of that name, or by one that
// looks like coordinates, on their set or on one that maps lead to from there.
func newTiles(p *loopPlan, name string) (*tiles, error) {
	points, err := coordinates(p.mesh, name)
	if err != nil {
		return nil, err
	}
	set := slices.IndexFunc(p.mesh.Sets, func(s record.Set) bool { return s.Name == p.loop.Set })
	if set < 0 {
		return nil, fmt.Errorf("set %s was declared after the first loop or sparsity", p.loop.Set)
	}
	g := geometry{p.mesh, map[int][]float64{points.Set: flatten(points)}}
	corners := g.corners(set)
	if corners == nil {
		return nil, fmt.Errorf("no map leads from %s to %s, where coordinates %s are\n  hint: -x names another dat",
			p.loop.Set, p.mesh.Sets[points.Set].Name, points.Name)
	}
	elements := p.in.Last - p.in.First
	t := &tiles{plan: p}
	for e := range elements {
		if p.loop.Subset != nil {
			e = int(p.loop.Subset[e])
		}
		t.add(corners(e))
	}
	t.level()
	return t, nil
}

// coordinates returns the dat of that name; if none is named, one that is called as coordinates
// usually are, or the only one there is.
func coordinates(m *record.Mesh, name string) (*record.Points, error) {
	var names []string
	for i := range m.Points {
		if names = append(names, m.Points[i].Name); m.Points[i].Name == name {
			return &m.Points[i], nil
		}
	}
	if name != "" {
		return nil, fmt.Errorf("-x %s: there is no such dat of 2 or 3 floats%s", name, spell.DidYouMean(name, names))
	}
	for _, usual := range coordinateNames {
		for i := range m.Points {
			if strings.EqualFold(m.Points[i].Name, usual) {
				return &m.Points[i], nil
			}
		}
	}
	switch len(m.Points) {
	case 0:
		return nil, errors.New("no dat of 2 or 3 floats was declared before the first loop")
	case 1:
		return &m.Points[0], nil
	}
	return nil, fmt.Errorf("which of the dats %s has the coordinates?\n  hint: -x names it", strings.Join(names, ", "))
}

// flatten returns the first two coordinates of each point.
func flatten(p *record.Points) []float64 {
	xy := make([]float64, 0, 2*len(p.Values)/p.Dim)
	for i := 0; i+1 < len(p.Values); i += p.Dim {
		xy = append(xy, p.Values[i], p.Values[i+1])
	}
	return xy
}

// geometry knows where elements of sets are.
type geometry struct {
	mesh *record.Mesh
	at   map[int][]float64 // by set: x and y of each element
}

// mapsFrom returns the maps from a set, those to most targets first.
func (g *geometry) mapsFrom(set int) []*record.Map {
	var maps []*record.Map
	for i := range g.mesh.Maps {
		if g.mesh.Maps[i].From == set {
			maps = append(maps, &g.mesh.Maps[i])
		}
	}
	slices.SortStableFunc(maps, func(a, b *record.Map) int { return cmp.Compare(b.Arity, a.Arity) })
	return maps
}

// centers returns where the elements of a set are: their own places, or the centers of the
// targets of a map; nil if that is not known.
func (g *geometry) centers(set int) []float64 {
	if xy, known := g.at[set]; known {
		return xy
	}
	g.at[set] = nil // while it is looked for
	for _, m := range g.mapsFrom(set) {
		targets := g.centers(m.To)
		if targets == nil {
			continue
		}
		xy := make([]float64, 2*g.mesh.Sets[set].Size)
		for e := range g.mesh.Sets[set].Size {
			for _, t := range m.Values[e*m.Arity : (e+1)*m.Arity] {
				xy[2*e] += targets[2*t] / float64(m.Arity)
				xy[2*e+1] += targets[2*t+1] / float64(m.Arity)
			}
		}
		g.at[set] = xy
		break
	}
	return g.at[set]
}

// corners returns a function that gives the corners of an element: those of a map to places;
// for an edge also the centers of the two adjacent elements, if a map leads to them.
func (g *geometry) corners(set int) func(e int) [][2]float64 {
	own := g.at[set]
	maps := g.mapsFrom(set)
	to := slices.IndexFunc(maps, func(m *record.Map) bool { return g.at[m.To] != nil })
	if to < 0 {
		if own == nil {
			own = g.centers(set)
		}
		if own == nil {
			return nil
		}
		return func(e int) [][2]float64 { return [][2]float64{{own[2*e], own[2*e+1]}} }
	}
	ends := maps[to]
	sources := []*record.Map{ends}
	if ends.Arity == 2 {
		for _, m := range maps {
			if m != ends && m.Arity <= 2 && g.centers(m.To) != nil {
				sources = append(sources, m)
				break
			}
		}
	}
	return func(e int) [][2]float64 {
		var points [][2]float64
		for _, m := range sources {
			for _, t := range m.Values[e*m.Arity : (e+1)*m.Arity] {
				points = append(points, [2]float64{g.at[m.To][2*t], g.at[m.To][2*t+1]})
			}
		}
		return points
	}
}

// tileCorners is the number of corners of a tile; those with fewer repeat the last.
const tileCorners = 8

// add adds a tile: the corners around their center; a rhombus for the two ends of a line, and
// nothing but its place for a point, which level makes a square.
func (t *tiles) add(corners [][2]float64) {
	if len(corners) > tileCorners {
		corners = corners[:tileCorners]
	}
	if len(corners) == 2 {
		a, b := corners[0], corners[1]
		x, y, dx, dy := (a[0]+b[0])/2, (a[1]+b[1])/2, (b[0]-a[0])/5, (b[1]-a[1])/5
		corners = [][2]float64{a, {x - dy, y + dx}, b, {x + dy, y - dx}}
	}
	var x, y float64
	for _, c := range corners {
		x, y = x+c[0]/float64(len(corners)), y+c[1]/float64(len(corners))
	}
	slices.SortStableFunc(corners, func(a, b [2]float64) int {
		return cmp.Compare(math.Atan2(a[1]-y, a[0]-x), math.Atan2(b[1]-y, b[0]-x))
	})
	first := int32(len(t.mesh.XY) / 2)
	for _, c := range corners {
		t.mesh.XY = append(t.mesh.XY, c[0], c[1])
	}
	for i := range tileCorners {
		t.mesh.Cells = append(t.mesh.Cells, first+int32(min(i, len(corners)-1)))
	}
}

// level makes squares of points, as large as there is room for all.
func (t *tiles) level() {
	t.mesh.Corners = tileCorners
	n := len(t.mesh.Cells) / tileCorners
	if n == 0 || len(t.mesh.XY) != 2*n {
		return
	}
	r := bounds(t.mesh.XY)
	half := 0.4 * max(r.X1-r.X0, r.Y1-r.Y0, 1e-300) / math.Sqrt(float64(n))
	var squares plot.Mesh
	for e := range n {
		x, y := t.mesh.XY[2*e], t.mesh.XY[2*e+1]
		squares.XY = append(squares.XY, x-half, y-half, x+half, y-half, x+half, y+half, x-half, y+half)
		for i := range tileCorners {
			squares.Cells = append(squares.Cells, int32(4*e+min(i, 3)))
		}
	}
	squares.Corners = tileCorners
	t.mesh = squares
}

// bounds returns the smallest window that holds all places.
func bounds(xy []float64) plot.Rect {
	r := plot.Rect{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for i := 0; i < len(xy); i += 2 {
		r.X0, r.X1 = min(r.X0, xy[i]), max(r.X1, xy[i])
		r.Y0, r.Y1 = min(r.Y0, xy[i+1]), max(r.Y1, xy[i+1])
	}
	return r
}

// parseView returns the window that four numbers give; the zero window, all of the mesh, for none.
func parseView(s string) (plot.Rect, error) {
	if s == "" {
		return plot.Rect{}, nil
	}
	var v [4]float64
	words := strings.Split(s, ",")
	for i, word := range words {
		n, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || len(words) != len(v) {
			return plot.Rect{}, fmt.Errorf("-view %s: expected x0,y0,x1,y1", s)
		}
		v[i] = n
	}
	return plot.Rect{X0: v[0], Y0: v[1], X1: v[2], Y1: v[3]}, nil
}

// draw draws all blocks by their colors to one file, and the elements of one by theirs to another.
func (t *tiles) draw(c console, path string, view plot.Rect, block int) error {
	ext := filepath.Ext(path)
	blockPath := strings.TrimSuffix(path, ext) + "-block" + ext
	for _, picture := range []struct {
		path    string
		classes []float64
		options plot.Options
	}{
		{path, t.blockClasses(), t.blocksOptions(view)},
		{blockPath, t.elementClasses(block), t.blockOptions(block)},
	} {
		if err := plot.WriteFile(picture.path, plot.Field{Mesh: t.mesh, Values: picture.classes}, picture.options); err != nil {
			return fmt.Errorf("op2 plan: %w", err)
		}
	}
	if err := c.wrote(path); err != nil {
		return err
	}
	return c.wrote(fmt.Sprintf("%s, of block %d", blockPath, block))
}

// blockClasses returns for each tile the color of its block.
func (t *tiles) blockClasses() []float64 {
	values := make([]float64, len(t.mesh.Cells)/tileCorners)
	for b, color := range t.plan.BlockColors {
		first, last := t.plan.Block(b)
		for e := first; e < last; e++ {
			values[e-t.plan.First] = float64(color)
		}
	}
	return values
}

// elementClasses returns for each tile of a block its color in the block, and for others none.
func (t *tiles) elementClasses(block int) []float64 {
	values := make([]float64, len(t.mesh.Cells)/tileCorners)
	for e := range values {
		values[e] = math.NaN()
	}
	first, last := t.plan.Block(block)
	for e := first; e < last; e++ {
		values[e-t.plan.First] = 0
		if t.plan.ElementColors != nil {
			values[e-t.plan.First] = float64(t.plan.ElementColors[e-t.plan.First])
		}
	}
	return values
}

func (t *tiles) blocksOptions(view plot.Rect) plot.Options {
	f := t.plan.Report()
	each := fmt.Sprintf("%d", f.SmallColor)
	if f.LargeColor > f.SmallColor {
		each = fmt.Sprintf("%d to %d", f.SmallColor, f.LargeColor)
	}
	return plot.Options{
		Title: fmt.Sprintf("Blocks of %s that run together have one color", t.plan.loop.Over),
		Subtitle: fmt.Sprintf("%s: %d elements in %d blocks of %d; %d colors, of %s blocks each; at least %d are needed",
			t.plan.loop.Kernel, f.Elements, f.Blocks, f.BlockSize, f.Colors, each, f.ColorBound),
		Label:   "Color of the block",
		Classes: f.Colors,
		View:    view,
	}
}

// blockOptions say how one block is drawn: as large as it fits.
func (t *tiles) blockOptions(block int) plot.Options {
	first, last := t.plan.Block(block)
	colors := 1
	if t.plan.ElementColorCounts != nil {
		colors = max(1, int(t.plan.ElementColorCounts[block]))
	}
	var xy []float64
	for _, n := range t.mesh.Cells[tileCorners*(first-t.plan.First) : tileCorners*(last-t.plan.First)] {
		xy = append(xy, t.mesh.XY[2*n:2*n+2]...)
	}
	r := bounds(xy)
	around := 0.03 * max(r.X1-r.X0, r.Y1-r.Y0)
	return plot.Options{
		Title:    fmt.Sprintf("Elements of block %d that run together have one color", block),
		Subtitle: fmt.Sprintf("%s over %s: %d elements; %d colors", t.plan.loop.Kernel, t.plan.loop.Over, last-first, colors),
		Label:    "Color of the element in its block",
		Classes:  colors,
		View:     plot.Rect{X0: r.X0 - around, Y0: r.Y0 - around, X1: r.X1 + around, Y1: r.Y1 + around},
	}
}
