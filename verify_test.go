package op2_test

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed verify_test.go
var verifySource string

var verifyFactor = 2.0

func verifyScale(x *float64) { *x *= verifyFactor }

func verifyThird(x *[2]float64, n *int) {
	x[0] = x[1] / 3
	*n = 7
}

// verifyLong takes too long to be compared, and verifyTable faults on most values.
func verifyLong(x *float64) {
	for range 100000 {
		*x /= 3
	}
}

func verifyTable(x *[3]float64, n *int) { x[*n+1000] = x[0] / 3 }

func verifySlices(x []float64, rows [][]float64) {
	for i := range x {
		x[i] = rows[1][i] / 3
	}
}

// Differences between the function and its source are found, whatever the backend.
func TestFunctionIsItsSource(t *testing.T) {
	change := func(from, to string) string {
		if strings.Count(verifySource, from) < 1 {
			t.Fatalf("no %s in the source", from)
		}
		return strings.Replace(verifySource, from, to, 1)
	}
	for _, test := range []struct {
		name, source string
		kernel       any
		want         string
	}{
		{"the same", verifySource, verifyThird, ""},
		{"another number", change("x[1] / 3", "x[1] / 4"), verifyThird,
			"for some values it leaves 0.628547 in x[0], its source 0.47141"},
		{"another integer", change("*n = 7", "*n = 6"), verifyThird, "for some values it leaves 7 in *n, its source 6"},
		{"another type", change("verifyThird(x *[2]float64", "verifyThird(x *[2]float32"), verifyThird,
			"its parameter x is a *[2]float64, that of its source a *[2]float32"},
		{"another parameter", change("verifyThird(x *[2]float64, n *int)", "verifyThird(x, y *[2]float64, n *int)"), verifyThird,
			"it takes 2 arguments, its source 3"},
		{"more steps than are taken", change("*x /= 3", "*x /= 4"), verifyLong, ""},
		{"what faults", change("x[0] / 3 }", "x[0] / 4 }"), verifyTable, ""},
		{"slices", verifySource, verifySlices, ""},
		{"another number with slices", change("rows[1][i] / 3", "rows[1][i] / 4"), verifySlices,
			"for some values it leaves 0.481391 in x[0], its source 0.361043"},
		{"an array in place of a slice", change("verifySlices(x []float64", "verifySlices(x *[2]float64"), verifySlices,
			"its parameter x is a []float64, that of its source a *[2]float64"},
		{"slices of another type", change("rows [][]float64", "rows [][2]float64"), verifySlices, "its parameter rows is a [][]float64, that of its source a [][2]float64"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, backend := range []string{"go", "sequential"} {
				rt := optest.OpenBackend(t, backend)
				set := optest.NewSet(t, rt, 3, "elements")
				args := []op2.Arg{optest.NewDat[float64](t, set, 2, nil, "x").RW(), optest.NewDat[int64](t, set, 1, nil, "n").Write()}
				k := op2.Kernels(test.source).Func(test.kernel)
				switch k.Name() {
				case "verifyLong":
					args = []op2.Arg{optest.NewDat[float64](t, set, 1, nil, "x").RW()}
				case "verifyTable":
					args = []op2.Arg{optest.NewDat[float64](t, set, 3, nil, "x").RW(), optest.NewDat[int64](t, set, 1, nil, "n").Read()}
				}
				if k.Name() == "verifySlices" {
					to := optest.NewMap(t, set, set, 2, []int32{0, 1, 1, 2, 2, 0}, "to")
					args = []op2.Arg{args[0], optest.NewDat[float64](t, set, 2, nil, "rows").Read(to)}
				}
				err := op2.NewLoop(k, set, args...).Err()
				if test.want == "" {
					optest.OK(t, err)
					continue
				}
				name := "kernel " + k.Name()
				optest.ExpectError(t, err, "op2: loop "+k.Name()+" over elements: "+name+": the compiled function is not what its source says: "+test.want+
					"\n  hint: //go:embed the file that declares "+k.Name()+", and rebuild")
				if !errors.As(err, new(*op2.KernelError)) {
					t.Errorf("it is a %T", err)
				}
			}
		})
	}
}

// A const that is not the variable which the function reads is found: at once, or when either has
// another value.
func TestConstIsTheVariable(t *testing.T) {
	const want = `op2: loop verifyScale over elements: kernel verifyScale: the compiled function is not what its source says: for some values it leaves VALUES
  hint: consts must be the variables that the function itself reads: op2.NewConst(rt, "verifyFactor", &verifyFactor); if they are, //go:embed the file that declares verifyScale, and rebuild`
	for _, test := range []struct {
		name          string
		other         float64
		change        func(call int, other *float64)
		calls         int // that succeed
		left, sources string
	}{
		{name: "another value", other: 3, change: func(int, *float64) {}, left: "3.99986 in *x", sources: "5.99978"},
		{name: "the const changes", other: 2, calls: 5, left: "3.99986 in *x", sources: "7.99971",
			change: func(call int, other *float64) {
				if call == 5 {
					*other = 4
				}
			}},
		{name: "the variable changes", other: 2, calls: 7, left: "17.9993 in *x", sources: "3.99986",
			change: func(call int, _ *float64) {
				if call == 5 {
					verifyFactor = 9
				}
			}},
	} {
		for _, backend := range []string{"go", "sequential"} {
			t.Run(test.name+" "+backend, func(t *testing.T) {
				defer func() { verifyFactor = 2 }()
				rt := optest.OpenBackend(t, backend)
				set := optest.NewSet(t, rt, 3, "elements")
				x := optest.NewDat(t, set, 1, make([]float64, 3), "x")
				op2.NewConst(rt, "verifyFactor", &test.other)
				other := test.other
				defer func() { test.other = other }()
				for call := range 20 {
					test.change(call, &test.other)
					err := op2.ParLoop(op2.Kernels(verifySource).Func(verifyScale), set, x.RW())
					if call < test.calls {
						optest.OK(t, err)
						continue
					}
					optest.ExpectError(t, err, strings.Replace(want, "VALUES", test.left+", its source "+test.sources, 1))
					break
				}
			})
		}
	}
}

// The variable itself may change freely.
func TestConstMayChange(t *testing.T) {
	defer func() { verifyFactor = 2 }()
	rt := optest.OpenBackend(t, "sequential")
	set := optest.NewSet(t, rt, 1, "elements")
	x := optest.NewDat(t, set, 1, []float64{1}, "x")
	op2.NewConst(rt, "verifyFactor", &verifyFactor)
	want := 1.0
	for call := range 100 {
		verifyFactor = 1 + float64(call%7)/8
		want *= verifyFactor
		optest.Run(t, op2.Kernels(verifySource).Func(verifyScale), set, x.RW())
	}
	optest.Expect(t, x, []float64{want})
}

// verifyFar contains a branch that is found by its constant, and one that no sample reaches.
func verifyFar(x *float64) {
	if *x > 5000 {
		*x = 1
	}
	if *x**x < -1 {
		*x = 2
	}
}

// Diagnostics report once what has not been compared.
func TestUncompared(t *testing.T) {
	for _, c := range []struct {
		kernel any
		want   string
	}{
		{verifyScale, ""},
		{verifyLong, "it takes more than 20000 steps"},
		{verifyTable, "it would panic for the values that were tried"},
		{verifyFar, "no value that was tried leads to what begins in line " + fmt.Sprint(1+strings.Count(verifySource[:strings.Index(verifySource, "\t\t*x = 2\n")], "\n"))},
	} {
		var log bytes.Buffer
		rt := optest.Must(op2.Open(op2.Static(), op2.WithBackend("go"), op2.WithDiags(true), op2.WithLog(&log)))
		op2.NewConst(rt, "verifyFactor", &verifyFactor)
		cells := optest.NewSet(t, rt, 3, "cells")
		k := op2.Kernels(verifySource).Func(c.kernel)
		args := []op2.Arg{optest.NewDat[float64](t, cells, 1, nil, "x").RW()}
		if _, ok := c.kernel.(func(*[3]float64, *int)); ok {
			args = []op2.Arg{optest.NewDat[float64](t, cells, 3, nil, "x").RW(), op2.Index()}
		}
		for range 2 {
			if err := op2.NewLoop(k, cells, args...).Err(); err != nil {
				t.Fatal(err)
			}
		}
		want := ""
		if c.want != "" {
			want = "op2: warning: loop " + k.Name() + " over cells: kernel " + k.Name() + ": the compiled function was not compared with all of its source: " +
				c.want + "\n  hint: after an edit of the embedded file, rebuild\n"
		}
		if got := log.String(); got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	}
}

func verifyLeast(x, low, sum *float64) {
	*low = min(*low, *x*verifyFactor)
	*sum -= *x
}

// With diagnostics, a warning says once that an argument is passed with Min, and what is left there is no minimum.
func TestDiagsOfMin(t *testing.T) {
	var log bytes.Buffer
	for _, diags := range []bool{false, true} {
		rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithDiags(diags), op2.WithLog(&log)))
		defer rt.Close()
		op2.NewConst(rt, "verifyFactor", &verifyFactor)
		cells := rt.NewSet(3, "cells")
		x := op2.NewDat[float64](cells, 1, nil, "x")
		low, sum := op2.NewGlobal(rt, []float64{1}, "low"), op2.NewGlobal(rt, []float64{0}, "sum")
		k := op2.Kernels(verifySource).Func(verifyLeast)
		optest.OK(t, op2.ParLoop(k, cells, x.Read(), low.Min(), sum.Inc()))
		optest.OK(t, op2.ParLoop(k, cells, x.Read(), low.Min(), sum.Min()))
		optest.OK(t, op2.ParLoop(k, cells, x.Read(), low.Min(), sum.Max()))
	}
	line := 2 + strings.Count(verifySource[:strings.Index(verifySource, "\t*low = min(")], "\n")
	want := fmt.Sprintf("op2: warning: loop verifyLeast over cells: kernel verifyLeast: verify_test.go:%d:2: sum is passed with Min, but the kernel does not leave "+
		"the smaller of what it finds there and a value that does not depend on it: results would depend on the order of elements\n"+
		"  hint: set it to min(*sum, x), or to x alone; sums are passed with Inc, other operations with Reduce\n", line)
	if log.String() != want {
		t.Errorf("got\n%s\nwant\n%s", log.String(), want)
	}
}
