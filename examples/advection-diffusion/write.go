package main

import (
	"fmt"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/examples/internal/series"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/vtk"
)

// frames is about how many pictures an animation has.
const frames = 30

// writer writes what the flags ask for.
type writer struct {
	rt     *op2.Runtime
	out    outputs
	mesh   *mesh.Mesh
	steps  int
	step   int // the next one
	series *vtk.Series
	film   *plot.Animation
}

func newWriter(rt *op2.Runtime, m *mesh.Mesh, steps int, out outputs) (w *writer, err error) {
	w = &writer{rt: rt, out: out, mesh: m, steps: steps}
	if w.film, err = plot.NewAnimation(15); err != nil {
		return nil, err
	}
	if out.series != "" {
		w.series, err = vtk.NewSeries(out.series, m, vtk.On(rt))
	}
	return w, err
}

// write writes the cloud at time t.
func (w *writer) write(t float64, u *op2.Dat[float64]) error {
	if w.series != nil {
		if err := w.series.Write(t, vtk.Nodes("concentration", u)); err != nil {
			return err
		}
	}
	filmed := w.out.film != "" && (w.step%max(w.steps/frames, 1) == 0 || w.step == w.steps)
	last := w.step == w.steps && w.out.picture != ""
	w.step++
	if !filmed && !last {
		return nil
	}
	values, err := u.Gather(0)
	if err != nil || w.rt.Rank() != 0 {
		return err
	}
	field := plot.Field{Mesh: plot.Mesh{XY: w.mesh.Points, Cells: w.mesh.Blocks[0].Nodes, Corners: 3}, Values: values}
	o := plot.Options{
		Title:    "A cloud, carried and spread",
		Subtitle: fmt.Sprintf("%d triangles, %d time steps", w.mesh.Cells(), w.steps),
		Label:    "concentration",
		Smooth:   true,
	}
	if last {
		if err := w.wrote("picture", w.out.picture, plot.WriteFile(w.out.picture, field, o)); err != nil {
			return err
		}
	}
	if filmed {
		o.Subtitle, o.Width, o.Min, o.Max = fmt.Sprintf("t = %.2f", t), 600, 0, 1
		return w.film.Add(plot.Draw(field, o))
	}
	return nil
}

// close ends the series and the film.
func (w *writer) close() error {
	if w.series != nil {
		if err := w.wrote("series", series.File(w.out.series), w.series.Close()); err != nil {
			return err
		}
	}
	if w.out.film != "" && w.rt.Rank() == 0 {
		return w.wrote("film", w.out.film, w.film.WriteFile(w.out.film))
	}
	return nil
}

// wrote reports a file on standard error, unless there was an error.
func (w *writer) wrote(what, path string, err error) error {
	if err == nil {
		fmt.Fprintf(w.rt.Output(os.Stderr), "%s: %s\n", what, path)
	}
	return err
}
