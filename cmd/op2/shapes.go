package main

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/plot"
)

// shapes are elements as polygons.
type shapes struct{ mesh plot.Mesh }

// coordinateNames are what dats of coordinates are usually called.
var coordinateNames = []string{"x", "xy", "xyz", "coords", "coordinates", "coord", "pos", "position", "positions", "points", "vertices"}

// newGeometry returns the geometry of a mesh with points.
func newGeometry(m *record.Mesh, points *record.Points) *geometry {
	return &geometry{m, points, map[int][]float64{points.Set: flatten(points)}}
}

// shapes returns some elements of a set as polygons. These are where their coordinates are, or those of
// elements that maps lead to from there.
func (g *geometry) shapes(set string, elements iter.Seq[int]) (*shapes, error) {
	number := slices.IndexFunc(g.mesh.Sets, func(s record.Set) bool { return s.Name == set })
	if number < 0 {
		return nil, fmt.Errorf("set %s was declared after the first loop or sparsity", set)
	}
	corners := g.corners(number)
	if corners == nil {
		return nil, fmt.Errorf("no map leads from %s to %s, where coordinates %s are\n  hint: -x names another dat",
			set, g.mesh.Sets[g.points.Set].Name, g.points.Name)
	}
	s := &shapes{}
	for e := range elements {
		s.add(corners(e))
	}
	s.level()
	return s, nil
}

// within returns the elements [first, last), or with a subset those at these indices.
func within(first, last int, subset []int32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for e := first; e < last; e++ {
			i := e
			if subset != nil {
				i = int(subset[e])
			}
			if !yield(i) {
				return
			}
		}
	}
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
	mesh   *record.Mesh
	points *record.Points
	at     map[int][]float64 // by set: x and y of each element
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

// targetsOf returns what a map leads to from an element: without the negative values at the end of rows that vary in length.
func targetsOf(m *record.Map, e int) []int32 {
	row := m.Values[e*m.Arity : (e+1)*m.Arity]
	if n := slices.IndexFunc(row, func(t int32) bool { return t < 0 }); n >= 0 {
		row = row[:n]
	}
	return row
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
			row := targetsOf(m, e)
			for _, t := range row {
				xy[2*e] += targets[2*t] / float64(len(row))
				xy[2*e+1] += targets[2*t+1] / float64(len(row))
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
			for _, t := range targetsOf(m, e) {
				points = append(points, [2]float64{g.at[m.To][2*t], g.at[m.To][2*t+1]})
			}
		}
		return points
	}
}

// mostCorners is the number of corners of a shape; those with fewer repeat the last.
const mostCorners = 8

// add adds a shape: the corners around their center; a rhombus for the two ends of a line, and
// nothing but its place for a point, which level makes a square.
func (s *shapes) add(corners [][2]float64) {
	if len(corners) == 0 { // its row is empty: a point where the shape before it ends
		corners = [][2]float64{{}}
		if n := len(s.mesh.XY); n > 0 {
			corners[0] = [2]float64(s.mesh.XY[n-2:])
		}
	}
	if len(corners) > mostCorners {
		corners = corners[:mostCorners]
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
	first := int32(len(s.mesh.XY) / 2)
	for _, c := range corners {
		s.mesh.XY = append(s.mesh.XY, c[0], c[1])
	}
	for i := range mostCorners {
		s.mesh.Cells = append(s.mesh.Cells, first+int32(min(i, len(corners)-1)))
	}
}

// level makes squares of points, as large as there is room for all.
func (s *shapes) level() {
	s.mesh.Corners = mostCorners
	n := len(s.mesh.Cells) / mostCorners
	if n == 0 || len(s.mesh.XY) != 2*n {
		return
	}
	r := bounds(s.mesh.XY)
	half := 0.4 * max(r.X1-r.X0, r.Y1-r.Y0, 1e-300) / math.Sqrt(float64(n))
	var squares plot.Mesh
	for e := range n {
		x, y := s.mesh.XY[2*e], s.mesh.XY[2*e+1]
		squares.XY = append(squares.XY, x-half, y-half, x+half, y-half, x+half, y+half, x-half, y+half)
		for i := range mostCorners {
			squares.Cells = append(squares.Cells, int32(4*e+min(i, 3)))
		}
	}
	squares.Corners = mostCorners
	s.mesh = squares
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
