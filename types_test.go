package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed types_kernels_test.go
var typesSource string

// Mistakes with values of the program's own types.
func TestTypeErrors(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 2, "cells")
	q, r := optest.NewDat[euler](t, cells, 1, nil, "q"), optest.NewDat[euler](t, cells, 1, nil, "r")
	axes, numbers := optest.NewDat[axis](t, cells, 2, nil, "axes"), optest.NewDat[float64](t, cells, 4, nil, "numbers")
	flags := optest.NewDat[struct{ On bool }](t, cells, 1, nil, "flags")
	loop := func(f any, args ...op2.Arg) error {
		return op2.NewLoop(op2.Kernels(typesSource).Func(f), cells, args...).Err()
	}
	c := func(source string, args ...op2.Arg) error {
		return op2.NewLoop(ckernel.New("k", source), cells, args...).Err()
	}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"pointer", op2.NewDat[struct{ Next *int }](cells, 1, nil, "list").Err(), `op2: dat list on cells: Next is *int, which is not plain: values are numbers, bools, and arrays and structs of these`},
		{"slice deep inside", op2.NewGlobal(rt, []struct{ Of [2]struct{ rows []int } }{{}}, "g").Err(), `op2: global g: Of[0].rows is []int, which is not plain: values are numbers, bools, and arrays and structs of these`},
		{"string", op2.NewDat[string](cells, 1, nil, "names").Err(), `op2: dat names on cells: string is not plain: values are numbers, bools, and arrays and structs of these`},
		{"nothing", op2.NewDat[struct{}](cells, 1, nil, "none").Err(), `op2: dat none on cells: struct {} holds nothing`},
		{"const", optest.NewConst(optest.Open(t), "names", new([]string)), `op2: const names: []string is not plain: values are numbers, bools, and arrays and structs of these`},
		{"number of values", op2.NewDat(cells, 2, make([]euler, 3), "few").Err(), `op2: dat few on cells: 4 values are needed, 2 for each of 2 cells; 3 were given`},
		{"dim", op2.NewDat[euler](cells, 0, nil, "none").Err(), `op2: dat none on cells: a dim of at least 1 is needed, 0 was given`},
		{"fill", axes.Fill(axis{}, axis{}, axis{}), `op2: dat axes on cells: Fill takes 1 value or 2, 3 were given`},
		{"copy", q.Copy(optest.NewDat[euler](t, cells, 2, nil, "two")), `op2: dat q on cells: Copy takes a dat on cells with dim 1, two is on cells and has dim 2`},

		{"field not written", loop(halfWritten, q.Read(), r.Write()), `op2: loop halfWritten over cells: kernel halfWritten: types_kernels_test.go:18:1: r.RhoU is not written on the path that ends here, but r is passed with Write
  hint: write every component on every path, or pass it with RW`},
		{"field read early", loop(momentumRead, q.Read(), axes.Write()), `op2: loop momentumRead over cells: kernel momentumRead: types_kernels_test.go:21:2: r[1].Momentum[1] is read before it is written, but r is passed with Write
  hint: write it first, or pass it with RW
types_kernels_test.go:22:1: r[0].Position is not written on the path that ends here, but r is passed with Write
  hint: write every component on every path, or pass it with RW`},
		{"written field of a dat that is read", loop(stateWritten, q.Read()), `op2: loop stateWritten over cells: kernel stateWritten: types_kernels_test.go:24:31: q is written, but passed with Read
  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
		{"array instead of a struct", loop(fourOf, q.Read(), r.Read()), `op2: loop fourOf over cells: argument 1 (q, read): the kernel takes *[4]float64, q holds 1 euler for each of cells
  hint: declare the parameter in types_kernels_test.go:26:13 as *euler`},
		{"struct instead of an array", loop(fourOf, numbers.Read(), numbers.Read()), `op2: loop fourOf over cells: argument 2 (numbers, read): the kernel takes *euler, numbers holds 4 float64 for each of cells
  hint: declare the parameter in types_kernels_test.go:26:28 as *[4]float64`},
		{"another struct", loop(momentumRead, q.Read(), optest.NewDat[euler](t, cells, 2, nil, "two").RW()), `op2: loop momentumRead over cells: argument 2 (two, read and written): the kernel takes *[2]axis, two holds 2 euler for each of cells
  hint: declare the parameter in types_kernels_test.go:20:29 as *[2]euler`},
		{"minimum of structs", loop(stateWritten, q.Min()), `op2: loop stateWritten over cells: argument 1 (q, minimized): q holds euler, of which none is less than another
  hint: Reduce combines values by a function of the program`},
		{"maximum of complex numbers", loop(stateWritten, optest.NewGlobal(t, rt, "z", 1i).Max()), `op2: loop stateWritten over cells: argument 1 (z, maximized): z holds complex128, of which none is less than another
  hint: Reduce combines values by a function of the program`},
		{"sum of bools", loop(stateWritten, flags.Inc()), `op2: loop stateWritten over cells: argument 1 (flags, incremented): flags holds struct{On bool}, and bools have no sum
  hint: Reduce combines values by a function of the program`},
		{"C kernel", c("void k(int *q) { }", q.Read()), `op2: loop k over cells: argument 1 (q, read): the kernel takes int32_t *q, q holds 1 euler for each of cells
    void k(int *q) { }
               ^
  hint: declare the parameter in k.c:1:12 as euler *q`},

		{"scaled structs of several types", optest.NewDat[struct {
			Distance float64
			Cell     int32
		}](t, cells, 1, nil, "nearest").Zero(), ``},
		{"norm of records", optest.Last(optest.NewDat[struct {
			Distance float64
			Cell     int32
		}](t, cells, 1, nil, "nearest").Norm()), `op2: dat nearest on cells: Inner is for numbers, and for structs and arrays of numbers of one type; the values are struct{Distance float64; Cell int32}
  hint: a loop can do what is meant for each field`},
		{"sum of flags", flags.Add(optest.NewDat[struct{ On bool }](t, cells, 1, nil, "others")), `op2: dat flags on cells: Add is for numbers, and for structs and arrays of numbers of one type; the values are struct{On bool}
  hint: a loop can do what is meant for each field`},
		{"quotient of integers", optest.NewDat[[2]int](t, cells, 1, nil, "pairs").Div(optest.NewDat[[2]int](t, cells, 1, nil, "others")), `op2: dat pairs on cells: Div is for floating-point numbers, the values are [2]int`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.want == "" {
				optest.OK(t, test.err)
			} else {
				optest.ExpectError(t, test.err, test.want)
			}
		})
	}
}

// Operations on dats and globals of structs.
func TestTypes(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 2, "cells")
	q := optest.NewDat(t, cells, 2, []euler{{1, 2, 3, 4}, {5, 6, 7, 8}, {0, 1, 0, 1}, {2, 0, 2, 0}}, "q")
	p := q.Duplicate("p")
	optest.OK(t, p.AXPY(euler{1, 2, 0, -1}, q))
	optest.Expect(t, p, []euler{{2, 6, 3, 0}, {10, 18, 7, 0}, {0, 3, 0, 0}, {4, 0, 2, 0}})
	optest.OK(t, p.MAXPY([]euler{{1, 1, 1, 1}, {0, 0, 1, 0}}, q, q))
	optest.Expect(t, p, []euler{{3, 8, 9, 4}, {15, 24, 21, 8}, {0, 4, 0, 1}, {6, 0, 6, 0}})
	optest.OK(t, errors.Join(p.Sub(q), p.Scale(euler{1, 0, 2, 1}), p.Mul(q)))
	optest.Expect(t, p, []euler{{2, 0, 36, 0}, {50, 0, 196, 0}, {}, {8, 0, 16, 0}})
	optest.OK(t, errors.Join(p.Fill(euler{1, 1, 1, 1}), p.Zero(), p.Add(q)))
	if norm := optest.Must(q.Norm()); norm != math.Sqrt(214) || optest.Must(p.Inner(q)) != 214 {
		t.Errorf("norm %v", norm)
	}
	optest.OK(t, p.Fill(euler{Rho: 1}, euler{RhoE: 2}))
	optest.Expect(t, p, []euler{{Rho: 1}, {RhoE: 2}, {Rho: 1}, {RhoE: 2}})
	if p.Dim() != 2 || p.NBytes() != 128 {
		t.Errorf("dim %d, %d bytes", p.Dim(), p.NBytes())
	}
	g := optest.NewGlobal(t, rt, "g", euler{1, 2, 3, 4}, euler{})
	optest.OK(t, g.Set(euler{Rho: 5}, euler{}))
	if v := optest.Must(g.Value()); v != (euler{Rho: 5}) || g.Dim() != 2 {
		t.Errorf("got %v, dim %d", v, g.Dim())
	}
	celsii, kelvins := optest.NewDat(t, cells, 1, []celsius{1, 2}, "celsii"), optest.NewDat[float64](t, cells, 1, nil, "kelvins")
	optest.Run(t, op2.Kernels(typesSource).Func(warmed), cells, celsii.Read(), kelvins.Write())
	optest.Expect(t, kelvins, []float64{2, 3})

	one, all := optest.NewDat[marked](t, cells, 1, nil, "one"), optest.NewDat[marked](t, cells, 2, nil, "all")
	optest.Run(t, op2.Kernels(typesSource).Func(marks), cells, one.Write(), all.Write()) // blank fields need not be written
	optest.Expect(t, one, []marked{{Rho: 1, No: 2}, {Rho: 1, No: 2}})
	optest.Expect(t, all, []marked{{Rho: 3}, {Rho: 3, No: 1}, {Rho: 3}, {Rho: 3, No: 1}})

	optest.OK(t, p.CheckFinite())
	optest.Set(t, p, 3, euler{RhoV: math.Inf(1)})
	optest.ExpectError(t, p.CheckFinite(), "op2: dat p on cells: RhoV of component 1 of element 1 of cells is +Inf")
	type nearest struct {
		Cell int32
		At   [2]float32
	}
	n := optest.NewDat(t, cells, 1, []nearest{{1, [2]float32{}}, {2, [2]float32{0, float32(math.NaN())}}}, "n")
	var v *op2.ValueError
	if err := n.CheckFinite(); !errors.As(err, &v) || v.Row != 1 || v.Field != "At[1]" {
		t.Errorf("got %v", err)
	}
	type keys map[string]int
	if err := op2.NewDat[keys](cells, 1, nil, "keys").Err(); err == nil {
		t.Errorf("%v is accepted", reflect.TypeFor[keys]())
	}
}

// Bytes of values that no field uses are zero, whatever the program's own or a kernel left in them.
func TestPadding(t *testing.T) {
	raw := func(values []ragged) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(ragged{})))
	}
	soiled := func() []ragged {
		values := make([]ragged, 4)
		for i := range raw(values) {
			raw(values)[i] = 0xa5
		}
		return values
	}
	for _, test := range []struct {
		backend string
		diags   bool
	}{{"go", true}, {"sequential", true}, {"opencl", false}, {"opencl", true}} {
		t.Run(fmt.Sprint(test.backend, test.diags), func(t *testing.T) {
			rt := optest.OpenBackend(t, test.backend, op2.WithDiags(test.diags))
			cells := optest.NewSet(t, rt, 2, "cells")
			r, g := optest.NewDat(t, cells, 2, soiled(), "r"), optest.NewGlobal(t, rt, "g", soiled()...)
			clean := func(what string, holder optest.Holder[ragged]) {
				t.Helper()
				for i, b := range raw(optest.Values(t, holder)) {
					if at := i % 24; (1 <= at && at < 8 || 18 <= at) && b != 0 {
						t.Fatalf("%s: byte %d is %#x", what, i, b)
					}
				}
			}
			clean("NewDat", r)
			clean("NewGlobal", g)
			optest.OK(t, g.Set(soiled()...))
			clean("Set", g)
			optest.OK(t, r.Fill(soiled()[:2]...))
			clean("Fill", r)
			optest.OK(t, r.SetInDeclaredOrder(soiled()))
			clean("SetInDeclaredOrder", r)
			copy(optest.Must(r.Data()), soiled())
			clean("Data", r)
			optest.Run(t, op2.Kernels(typesSource).Func(raggedWritten), cells, op2.Index(), r.Write())
			clean("a loop", r)
			optest.Expect(t, r, []ragged{{1, 2, 0}, {1, 2, 0}, {1, 2, 1}, {1, 2, 1}})
		})
	}
}

// Diagnostics name the field that a kernel makes infinite.
func TestInfiniteField(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithDiags(true), op2.WithLog(nil)))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 2, "cells")
	q, r := optest.NewDat(t, cells, 1, []euler{{1, 2, 3, 4}, {1, 0, 0, 0}}, "q"), optest.NewDat[axis](t, cells, 1, nil, "r")
	err := op2.ParLoop(op2.Kernels(typesSource).Func(infinite), cells, q.Read(), r.Write())
	optest.ExpectError(t, err, "op2: loop infinite over cells: argument 2 (r, written): Momentum[1] of component 0 of element 1 of cells is +Inf\n"+
		"  hint: the dats that it reads there were finite; where such values are meant, call r.AllowNonFinite()")
}
