package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-op2/op2/internal/vtu"
)

// compareFiles compares the results of two runs, field by field. It fails where a difference exceeds the tolerance.
func compareFiles(c console, args []string) error {
	f := newFlags("compare", "A.vtu B.vtu")
	tolerance := f.Float64("tol", 0, "the largest difference that is no failure, relative to the largest value of the field")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	if f.NArg() != 2 {
		return wrongUse(f, fmt.Errorf("expected two files, found %d", f.NArg()))
	}
	if !(*tolerance >= 0) {
		return wrongUse(f, fmt.Errorf("-tol %g: expected a number of at least 0", *tolerance))
	}
	a, err := readGrid(f.Arg(0))
	if err != nil {
		return err
	}
	b, err := readGrid(f.Arg(1))
	if err != nil {
		return err
	}
	if err := sameCells(a, b); err != nil {
		return fmt.Errorf("op2 compare: %s and %s: %w", f.Arg(0), f.Arg(1), err)
	}

	t := tabwriter.NewWriter(c.results, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "field\ton\tvalues\tdiffer\tlargest difference\trelative\tulp\tat")
	failed := false
	points := func(g *vtu.Grid) []vtu.Array {
		return append([]vtu.Array{{Name: "coordinates", Components: 3, Values: g.Points}}, g.PointData...)
	}
	for _, group := range []struct {
		on   string
		a, b []vtu.Array
	}{{"nodes", points(a), points(b)}, {"cells", a.CellData, b.CellData}} {
		for _, x := range group.a {
			i := slices.IndexFunc(group.b, func(y vtu.Array) bool { return y.Name == x.Name })
			if i < 0 {
				fmt.Fprintf(t, "%s\t%s\tonly in %s\n", x.Name, group.on, f.Arg(0))
				failed = true
				continue
			}
			d, err := compareArrays(x, group.b[i])
			if err != nil {
				fmt.Fprintf(t, "%s\t%s\t%v\n", x.Name, group.on, err)
				failed = true
				continue
			}
			fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", x.Name, group.on, d.values, d.describe(max(x.Components, 1)))
			failed = failed || !(d.largest <= *tolerance*d.scale)
		}
		for _, y := range group.b {
			if !slices.ContainsFunc(group.a, func(x vtu.Array) bool { return x.Name == y.Name }) {
				fmt.Fprintf(t, "%s\t%s\tonly in %s\n", y.Name, group.on, f.Arg(1))
				failed = true
			}
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if failed {
		return errFailed
	}
	return nil
}

func readGrid(path string) (*vtu.Grid, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("op2 compare: %w", err)
	}
	g, err := vtu.Read(b, nil)
	if err != nil {
		return nil, fmt.Errorf("op2 compare: %s: %w\n  hint: it compares files .vtu, as vtk.WriteFile and the steps of a series are", path, err)
	}
	return g, nil
}

// sameCells reports how the cells of two grids differ: then their values cannot be compared.
func sameCells(a, b *vtu.Grid) error {
	if n, m := len(a.Points)/3, len(b.Points)/3; n != m {
		return fmt.Errorf("one has %d nodes, the other %d", n, m)
	}
	if n, m := len(a.Types), len(b.Types); n != m {
		return fmt.Errorf("one has %d cells, the other %d", n, m)
	}
	if !slices.Equal(a.Types, b.Types) || !slices.Equal(a.Offsets, b.Offsets) || !slices.Equal(a.Nodes, b.Nodes) {
		return fmt.Errorf("their cells have other nodes, or another order")
	}
	return nil
}

// difference is how far apart the values of two fields are.
type difference struct {
	values, differ int
	largest        float64 // NaN: one of two values is not finite, and the other is not the same
	scale          float64 // the largest finite absolute value
	ulp            float64 // units in the last place, where the difference in them is largest
	at             int     // the value where the difference is largest
}

func compareArrays(a, b vtu.Array) (d difference, err error) {
	if m, n := max(a.Components, 1), max(b.Components, 1); m != n {
		return d, fmt.Errorf("one has %d components, the other %d", m, n)
	}
	// A float64 beside a float32 is compared in the units of the latter.
	_, single1 := a.Values.([]float32)
	_, single2 := b.Values.([]float32)
	if bytes.Equal(vtu.Bytes(a.Values), vtu.Bytes(b.Values)) && single1 == single2 {
		return difference{values: len(vtu.Convert[float64](a.Values))}, nil
	}
	x, y := vtu.Convert[float64](a.Values), vtu.Convert[float64](b.Values)
	if len(x) != len(y) {
		return d, fmt.Errorf("one has %d values, the other %d", len(x), len(y))
	}
	d.values = len(x)
	for i := range x {
		for _, v := range []float64{x[i], y[i]} {
			if v = math.Abs(v); v > d.scale && !math.IsInf(v, 0) {
				d.scale = v
			}
		}
		if x[i] == y[i] || math.IsNaN(x[i]) && math.IsNaN(y[i]) {
			continue
		}
		d.differ++
		apart := math.Abs(x[i] - y[i])
		if math.IsInf(apart, 0) || math.IsNaN(apart) {
			apart = math.NaN()
		}
		if apart > d.largest || math.IsNaN(apart) && !math.IsNaN(d.largest) {
			d.largest, d.at = apart, i
		}
		d.ulp = max(d.ulp, ulps(x[i], y[i], single1 || single2))
	}
	return d, nil
}

// ulps returns how many numbers of the type float64 or, if single, float32 lie from x to y.
func ulps(x, y float64, single bool) float64 {
	place := func(v float64) uint64 { // numbers from 0 on have consecutive places
		if single {
			return uint64(math.Float32bits(float32(math.Abs(v))))
		}
		return math.Float64bits(math.Abs(v))
	}
	m, n := place(x), place(y)
	if math.Signbit(x) != math.Signbit(y) {
		return float64(m) + float64(n)
	}
	return float64(max(m, n) - min(m, n))
}

func (d difference) describe(components int) string {
	if d.differ == 0 {
		return "0\tnone"
	}
	at := fmt.Sprint(d.at / components)
	if components > 1 {
		at += fmt.Sprintf(", component %d", d.at%components)
	}
	if math.IsNaN(d.largest) {
		return fmt.Sprintf("%d\tnot finite in one of them\t\t\t%s", d.differ, at)
	}
	return strings.Join([]string{fmt.Sprint(d.differ), fmt.Sprintf("%.3g", d.largest), fmt.Sprintf("%.2g", d.largest/d.scale), fmt.Sprintf("%.3g", d.ulp), at}, "\t")
}
