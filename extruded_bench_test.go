package op2_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// columnsLoop is one of the loops over the prisms of 40 layers over a square of triangles: as columns, or as one flat set with a map of 6
// corners in the same order.
func columnsLoop(rt *op2.Runtime, name string, flat bool) *op2.Loop {
	const side, layers = 112, 40
	var triangle []int
	for j := range side {
		for i := range side {
			a := j*(side+1) + i
			triangle = append(triangle, a, a+1, a+side+2, a, a+side+2, a+side+1)
		}
	}
	base, vertices := rt.NewSet(len(triangle)/3, "base"), rt.NewSet((side+1)*(side+1), "vertices")
	cells, points := op2.NewExtrudedSet(base, layers, "cells"), op2.NewExtrudedSet(vertices, layers+1, "points")
	corners := op2.NewExtrudedMap(cells, points, op2.NewMap(base, vertices, 3, triangle, "triangle"), []int{0, 1}, 1, "corners")
	if flat {
		values := corners.InDeclaredOrder()
		cells, points = rt.NewSet(cells.Size(), "cells"), rt.NewSet(points.Size(), "points")
		corners = op2.NewMap(cells, points, 6, values, "corners")
	}
	x, q, to := op2.NewDat[float64](points, 1, nil, "x"), op2.NewDat[float64](cells, 1, nil, "q"), op2.NewDat[float64](points, 1, nil, "to")
	k := op2.Kernels(extrudedSource)
	switch name {
	case "read":
		return op2.NewLoop(k.Func(ofCorners), cells, x.Read(corners), q.Write())
	case "inc":
		return op2.NewLoop(k.Func(toCorners), cells, q.Read(), to.Inc(corners))
	}
	a := op2.NewMat[float64](op2.NewSquareSparsity(corners, 1, "a"), "a")
	return op2.NewLoop(op2.Kernels(extrudedMatSource).Func(ofCell), cells, q.Read(), a.Inc(corners, corners))
}

// BenchmarkExtruded runs loops over columns and the same over a flat set, in turn, and reports the shortest times for each cell.
//
//	go test -run '^$' -bench Extruded -benchtime 20x .
func BenchmarkExtruded(b *testing.B) {
	for _, backend := range []string{"sequential", "openmp", "go"} {
		for _, name := range []string{"read", "inc", "mat"} {
			b.Run(fmt.Sprint(backend, "/", name), func(b *testing.B) {
				rt := optest.Must(op2.Open(op2.WithBackend(backend), op2.WithLog(nil)))
				defer rt.Close()
				columns, flat := columnsLoop(rt, name, false), columnsLoop(rt, name, true)
				times := map[*op2.Loop][]time.Duration{}
				for range b.N + 2 {
					for _, l := range []*op2.Loop{columns, flat} {
						start := time.Now()
						optest.OK(b, l.Compute())
						times[l] = append(times[l], time.Since(start))
					}
				}
				const cells = 2 * 112 * 112 * 40
				shortest := func(l *op2.Loop) float64 { return float64(slices.Min(times[l]).Nanoseconds()) / cells }
				b.ReportMetric(shortest(columns), "ns/cell")
				b.ReportMetric(shortest(flat), "flat-ns/cell")
				b.ReportMetric(shortest(flat)/shortest(columns), "ratio")
				b.ReportMetric(0, "ns/op")
				b.Logf("columns: %s; flat: %s", columns.Stats().How, flat.Stats().How)
			})
		}
	}
}
