package main

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/series"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/progress"
	"github.com/go-op2/op2/vtk"
)

// frames is the number of times that are written, besides the start.
const frames = 36

// wet is the depth in meters below which pictures and reports count land as dry.
const wet = 0.01

// outputs names the files to write; empty: none.
type outputs struct {
	picture string // of the highest levels
	film    string // an animation
	series  string // for ParaView, without extension
}

// writer writes what the flags ask for.
type writer struct {
	rt     *op2.Runtime
	out    outputs
	mesh   *mesh.Mesh // the whole one, on rank 0
	water  *water
	series *vtk.Series
	film   *plot.Animation
	filmed bool // the film has begun
}

// newWriter returns a writer, given the whole mesh, on rank 0, and the one that each rank has.
func newWriter(rt *op2.Runtime, m, here *mesh.Mesh, w *water, out outputs) (o *writer, err error) {
	o = &writer{rt: rt, out: out, mesh: m, water: w}
	if o.film, err = plot.NewAnimation(9); err == nil && out.series != "" {
		o.series, err = vtk.NewSeries(out.series, here, vtk.On(rt), vtk.Single())
	}
	return o, err
}

// follow lets the water flow until the given time, and writes the waves on the way. A run goes on from the last frame
// before its checkpoint.
func (o *writer) follow(time float64) error {
	bar := progress.New(o.rt.Output(os.Stderr), frames)
	defer bar.Clear()
	frame := 0
	if err := errors.Join(o.rt.Keep("frame", &frame), o.rt.Keep("steps", &o.water.steps), o.rt.Keep("time", &o.water.time)); err != nil {
		return err
	}
	for ; frame <= frames; frame++ {
		if err := o.rt.Checkpoint(""); err != nil {
			return err
		}
		if err := o.water.advance(time * float64(frame) / frames); err != nil {
			return err
		}
		if err := o.write(frame == frames); err != nil {
			return err
		}
		bar.Show(frame)
	}
	return nil
}

// write writes the waves at the present time. The film begins when the wave is in sight, and has at least the last picture.
func (o *writer) write(last bool) error {
	w := o.water
	if err := w.show.Compute(); err != nil {
		return err
	}
	if o.series != nil {
		err := o.series.Write(w.time, vtk.Cells("surface", w.surface), vtk.Cells("depth", w.depth), vtk.Cells("velocity", w.velocity))
		if err != nil {
			return err
		}
	}
	if o.out.film == "" {
		return nil
	}
	field, err := o.field(w.surface)
	if err != nil || o.rt.Rank() != 0 {
		return err
	}
	if o.filmed = o.filmed || last || slices.Max(field.Values) > 0.5; !o.filmed {
		return nil
	}
	return o.film.Add(plot.Draw(field, plot.Options{
		Title: "A tsunami", Subtitle: fmt.Sprintf("after %2.0f min", w.time/60),
		Label: "surface in m", Map: plot.CoolWarm(), Min: -2, Max: 2, Smooth: true, Width: 800, View: view, Body: land, Outside: land,
	}))
}

// view is the part of the plane that pictures show.
var view = plot.Rect{X1: 40000, Y1: 30000}

// land is the color of islands.
var land = color.RGBA{R: 0x8a, G: 0x7a, B: 0x5c, A: 255}

// field returns levels of the water, as far as they are above the bed, on rank 0. It is collective.
func (o *writer) field(levels *op2.Dat[float64]) (plot.Field, error) {
	values, err1 := levels.Gather(0)
	q, err2 := o.water.q.Gather(0)
	if err := errors.Join(err1, err2); err != nil || o.rt.Rank() != 0 {
		return plot.Field{}, err
	}
	cells := o.mesh.Blocks[0].Nodes
	level := atNodes(cells, o.mesh.Nodes(), func(c int) (float64, bool) { return values[c], values[c]-q[4*c+3] > wet })
	depth := make([]float64, o.mesh.Nodes())
	for n := range depth {
		p := o.mesh.Point(int32(n))
		depth[n] = level[n] - bed(p[0], p[1])
	}
	return plot.Above(plot.Field{Mesh: plot.Mesh{XY: o.mesh.Points, Cells: cells, Corners: 3}, Values: level}, 0, depth)
}

// atNodes returns at each node of triangles the mean of the wet cells around it, and beside them, on dry land, the level of
// the nearest ones goes on: where it meets the bed is the shore.
func atNodes(cells []int32, nodes int, of func(cell int) (level float64, wet bool)) []float64 {
	sum, count := make([]float64, nodes), make([]float64, nodes)
	for c := range len(cells) / 3 {
		if level, wet := of(c); wet {
			for _, n := range cells[3*c : 3*c+3] {
				sum[n], count[n] = sum[n]+level, count[n]+1
			}
		}
	}
	for range 2 { // cells inland
		more, by := make([]float64, nodes), make([]float64, nodes)
		for i, n := range cells {
			next := cells[i/3*3+(i+1)%3]
			for _, pair := range [2][2]int32{{n, next}, {next, n}} {
				if from, to := pair[0], pair[1]; count[from] > 0 && count[to] == 0 {
					more[to], by[to] = more[to]+sum[from]/count[from], by[to]+1
				}
			}
		}
		for n := range more {
			sum[n], count[n] = sum[n]+more[n], count[n]+by[n]
		}
	}
	for n := range sum {
		sum[n] /= count[n] // NaN further inland
	}
	return sum
}

// close ends the series and the film, and draws the picture.
func (o *writer) close() error {
	if o.series != nil {
		if err := o.wrote("series", series.File(o.out.series), o.series.Close()); err != nil {
			return err
		}
	}
	if o.out.film != "" && o.rt.Rank() == 0 {
		if err := o.wrote("film", o.out.film, o.film.WriteFile(o.out.film)); err != nil {
			return err
		}
	}
	if o.out.picture == "" {
		return nil
	}
	field, err := o.field(o.water.highest)
	if err != nil || o.rt.Rank() != 0 {
		return err
	}
	return o.wrote("picture", o.out.picture, plot.WriteFile(o.out.picture, field, plot.Options{
		Title:    "The highest levels of a tsunami",
		Subtitle: fmt.Sprintf("%d triangles, %.0f minutes", o.mesh.Cells(), o.water.time/60),
		Label:    "level in m", Smooth: true, View: view, Body: land, Outside: land,
	}))
}

// wrote reports a file on standard error, unless there was an error.
func (o *writer) wrote(what, path string, err error) error {
	if err == nil {
		fmt.Fprintf(o.rt.Output(os.Stderr), "%s: %s\n", what, path)
	}
	return err
}

// report prints where the water was highest, and how much land it flooded, on rank 0, which has the whole mesh.
func (w *water) report(out io.Writer, m *mesh.Mesh) error {
	highest, err1 := w.highest.Gather(0)
	q, err2 := w.q.Gather(0)
	areas, err3 := w.area.Gather(0)
	if err := errors.Join(err1, err2, err3); err != nil || highest == nil {
		return err
	}
	top, flooded := 0, 0.0
	for c, level := range highest {
		if level-q[4*c+3] > wet {
			if level > highest[top] || highest[top]-q[4*top+3] <= wet {
				top = c
			}
			if q[4*c+3] > 0 {
				flooded += areas[c]
			}
		}
	}
	x, y := middle(m, top)
	fmt.Fprintf(out, "highest water %.2f m above the sea at (%.0f, %.0f); flooded land %.2f km²\n\n", highest[top], x, y, flooded/1e6)
	return nil
}
