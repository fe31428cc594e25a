package main

import (
	"bytes"
	"fmt"
	"io"
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
	asJSON := jsonFlag(f)
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
		return fmt.Errorf("%s and %s: %w", f.Arg(0), f.Arg(1), err)
	}

	fields := compareGrids(a, b, f.Arg(0), f.Arg(1))
	if *asJSON {
		err = writeJSON(c.results, fields)
	} else {
		err = writeFields(c.results, fields)
	}
	if err == nil && slices.ContainsFunc(fields, func(f comparedField) bool { return f.exceeds(*tolerance) }) {
		return errFailed
	}
	return err
}

// comparedField is a field of one file beside that of the other.
type comparedField struct {
	Field, On string
	Error     string `json:",omitempty"` // why they cannot be compared
	arrayDifference
	components int
}

// exceeds reports whether the fields differ by more than a part of their largest value.
func (f comparedField) exceeds(tolerance float64) bool {
	return f.Error != "" || !(float64(f.Largest) <= tolerance*float64(f.Scale))
}

// compareGrids compares all fields of two files, whose names it needs for those that one of them lacks.
func compareGrids(a, b *vtu.Grid, nameA, nameB string) (fields []comparedField) {
	points := func(g *vtu.Grid) []vtu.Array {
		return append([]vtu.Array{{Name: "coordinates", Components: 3, Values: g.Points}}, g.PointData...)
	}
	for _, group := range []struct {
		on   string
		a, b []vtu.Array
	}{{"nodes", points(a), points(b)}, {"cells", a.CellData, b.CellData}} {
		for _, x := range group.a {
			f := comparedField{Field: x.Name, On: group.on, components: max(x.Components, 1)}
			if i := slices.IndexFunc(group.b, func(y vtu.Array) bool { return y.Name == x.Name }); i < 0 {
				f.Error = "only in " + nameA
			} else if d, err := compareArrays(x, group.b[i]); err != nil {
				f.Error = err.Error()
			} else {
				f.arrayDifference = d
			}
			fields = append(fields, f)
		}
		for _, y := range group.b {
			if !slices.ContainsFunc(group.a, func(x vtu.Array) bool { return x.Name == y.Name }) {
				fields = append(fields, comparedField{Field: y.Name, On: group.on, Error: "only in " + nameB})
			}
		}
	}
	return fields
}

// writeFields writes a table of fields.
func writeFields(out io.Writer, fields []comparedField) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "field\ton\tvalues\tdiffer\tlargest difference\trelative\tulp\tat")
	for _, f := range fields {
		if f.Error != "" {
			fmt.Fprintf(t, "%s\t%s\t%s\n", f.Field, f.On, f.Error)
		} else {
			fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", f.Field, f.On, f.Values, f.describe(f.components))
		}
	}
	return t.Flush()
}

func readGrid(path string) (*vtu.Grid, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g, err := vtu.Read(b, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n  hint: it compares files .vtu, as vtk.WriteFile and the steps of a series are", path, err)
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

// arrayDifference is how far apart the values of two fields are.
type arrayDifference struct {
	Values, Differ int
	Largest        number // NaN: one of two values is not finite, and the other is not the same
	Scale          number // the largest finite absolute value
	ULP            number // units in the last place, where the difference in them is largest
	At             int    // the value where the difference is largest
}

func compareArrays(a, b vtu.Array) (d arrayDifference, err error) {
	if m, n := max(a.Components, 1), max(b.Components, 1); m != n {
		return d, fmt.Errorf("one has %d components, the other %d", m, n)
	}
	// A float64 beside a float32 is compared in the units of the latter.
	_, single1 := a.Values.([]float32)
	_, single2 := b.Values.([]float32)
	if bytes.Equal(vtu.Bytes(a.Values), vtu.Bytes(b.Values)) && single1 == single2 {
		return arrayDifference{Values: len(vtu.Convert[float64](a.Values))}, nil
	}
	x, y := vtu.Convert[float64](a.Values), vtu.Convert[float64](b.Values)
	if len(x) != len(y) {
		return d, fmt.Errorf("one has %d values, the other %d", len(x), len(y))
	}
	d.Values = len(x)
	for i := range x {
		for _, v := range []float64{x[i], y[i]} {
			if v = math.Abs(v); v > float64(d.Scale) && !math.IsInf(v, 0) {
				d.Scale = number(v)
			}
		}
		if x[i] == y[i] || math.IsNaN(x[i]) && math.IsNaN(y[i]) {
			continue
		}
		d.Differ++
		apart := math.Abs(x[i] - y[i])
		if math.IsInf(apart, 0) || math.IsNaN(apart) {
			apart = math.NaN()
		}
		if largest := float64(d.Largest); apart > largest || math.IsNaN(apart) && !math.IsNaN(largest) {
			d.Largest, d.At = number(apart), i
		}
		d.ULP = max(d.ULP, number(ulps(x[i], y[i], single1 || single2)))
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

func (d arrayDifference) describe(components int) string {
	if d.Differ == 0 {
		return "0\tnone"
	}
	at := fmt.Sprint(d.At / components)
	if components > 1 {
		at += fmt.Sprintf(", component %d", d.At%components)
	}
	if math.IsNaN(float64(d.Largest)) {
		return fmt.Sprintf("%d\tnot finite in one of them\t\t\t%s", d.Differ, at)
	}
	return strings.Join([]string{fmt.Sprint(d.Differ), fmt.Sprintf("%.3g", d.Largest), fmt.Sprintf("%.2g", d.Largest/d.Scale), fmt.Sprintf("%.3g", d.ULP), at}, "\t")
}
