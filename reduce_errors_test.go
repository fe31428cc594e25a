package op2_test

import (
	_ "embed"
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed reduce_kernels_test.go
var reduceSource string

// Mistakes with operations.
func TestReduceErrors(t *testing.T) {
	open := func(backend string) (*op2.Runtime, *op2.Set, *op2.Global[nearest], *op2.Global[int32]) {
		rt := optest.Must(op2.Open(op2.WithBackend(backend), op2.WithLog(nil)))
		t.Cleanup(func() { rt.Close() })
		return rt, optest.NewSet(t, rt, 2, "cells"), optest.NewGlobal(t, rt, "best", nearest{}), optest.NewGlobal[int32](t, rt, "count", 1)
	}
	rt, cells, best, count := open("go")
	op2.NewConst(rt, "weight", &weight)
	k := op2.Kernels(reduceSource)
	none := nearest{Distance: math.Inf(1)}
	search := func(op any, identity nearest) error {
		return op2.NewLoop(k.Func(foundNearest), cells, best.Reduce(k.Func(op), identity)).Err()
	}
	counting := func(op any, identity int32) error {
		return op2.NewLoop(k.Func(counted), cells, count.Reduce(k.Func(op), identity)).Err()
	}
	c := func(source string) error {
		_, cells, _, count := open("sequential")
		return op2.NewLoop(ckernel.New("k", "void k(int *n) { *n = 1; }"), cells, count.Reduce(ckernel.New("op", source), 0)).Err()
	}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"sound", search(closer, none), ``},
		{"none", op2.NewLoop(k.Func(foundNearest), cells, best.Reduce(nil, none)).Err(), `op2: loop foundNearest over cells: argument 1 (best, reduced): the operation is nil`},
		{"one value", search(alone, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): operation alone takes *nearest, best holds nearest
  hint: an operation combines two values: func alone(into, from *nearest)`},
		{"three values", search(three, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): operation three takes *nearest, *nearest, *nearest, best holds nearest
  hint: an operation combines two values: func three(into, from *nearest)`},
		{"another type", search(plus, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): operation plus takes *int32, *int32, best holds nearest
  hint: an operation combines two values: func plus(into, from *nearest)`},
		{"arrays of the type", search(pairs, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): operation pairs takes *[2]nearest, *[2]nearest, best holds nearest
  hint: an operation combines two values: func pairs(into, from *nearest)`},
		{"with a result", search(resulting, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): kernel resulting: it has results
  hint: a kernel leaves its results where its parameters point`},
		{"the second value written", search(swap, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): kernel swap: reduce_kernels_test.go:32:41: from is written, but an operation changes its first value alone`},
		{"a const read", search(weighted, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): kernel weighted: reduce_kernels_test.go:36:55: weight is read, but an operation depends on two values alone`},
		{"subscript", counting(table, 0), `op2: loop counted over cells: argument 1 (count, reduced): kernel table: reduce_kernels_test.go:38:6: it may fail on some values: by a subscript that is not known to be in range, an integer division, or a shift
  hint: an operation must be defined for all values`},
		{"division", counting(divided, 1), `op2: loop counted over cells: argument 1 (count, reduced): kernel divided: reduce_kernels_test.go:43:6: it may fail on some values: by a subscript that is not known to be in range, an integer division, or a shift
  hint: an operation must be defined for all values`},
		{"shift", counting(shift, 0), `op2: loop counted over cells: argument 1 (count, reduced): kernel shift: reduce_kernels_test.go:44:6: it may fail on some values: by a subscript that is not known to be in range, an integer division, or a shift
  hint: an operation must be defined for all values`},
		{"no identity", counting(plus, 1), `op2: loop counted over cells: argument 1 (count, reduced): operation plus: 1 is no identity: combined with itself it becomes 2
  hint: an identity changes no value that it is combined with: 0 in sums, infinity in minima`},
		{"no identity of a record", search(farther, none), `op2: loop foundNearest over cells: argument 1 (best, reduced): operation farther: {Distance: +Inf, Cell: 0} is no identity: combined with itself it becomes {Distance: +Inf, Cell: 1}
  hint: an identity changes no value that it is combined with: 0 in sums, infinity in minima`},
		{"two operations", op2.NewLoop(k.Func(countedTwice), cells, count.Reduce(k.Func(plus), 0), count.Reduce(k.Func(times), 1)).Err(), `op2: loop countedTwice over cells: argument 2 (count, reduced): count is also argument 1 (count, reduced), by another operation, or with another identity
  hint: use one for all, or two loops`},
		{"two identities", op2.NewLoop(k.Func(countedTwice), cells, count.Reduce(k.Func(larger), 0), count.Reduce(k.Func(larger), -1)).Err(), `op2: loop countedTwice over cells: argument 2 (count, reduced): count is also argument 1 (count, reduced), by another operation, or with another identity
  hint: use one for all, or two loops`},
		{"operation and sum", op2.NewLoop(k.Func(countedTwice), cells, count.Reduce(k.Func(plus), 0), count.Inc()).Err(), `op2: loop countedTwice over cells: argument 2 (count, incremented): count is also argument 1 (count, reduced): whether one sees what the other changes would depend on the order of elements
  hint: use one access for all, or a second global`},
		{"operation in C on go", op2.NewLoop(k.Func(counted), cells, count.Reduce(ckernel.New("op", "void op(int *a, int *b) { *a += *b; }"), 0)).Err(), ``},
		{"C", c("void op(int *a, const int *b) { *a += *b; }"), ``},
		{"C of another type", c("void op(double *a, const double *b) { *a += *b; }"), `op2: loop k over cells: argument 1 (count, reduced): operation op takes double *a, double *b, count holds int32
  hint: an operation combines two values: void op(int32_t *into, const int32_t *from)`},
		{"C that writes the second value", c("void op(int *a, int *b) { *a += *b; *b = 0; }"), `op2: loop k over cells: argument 1 (count, reduced): kernel op: op.c:1:37: b is written, but an operation changes its first value alone
    void op(int *a, int *b) { *a += *b; *b = 0; }
                                        ^`},
		{"C with a union", c("void op(int *a, const int *b) { union { int i; float f; } u; u.i = *b; *a += u.i; }"), `op2: loop k over cells: argument 1 (count, reduced): kernel op: op.c:1:6: it holds C that cannot be translated, and operations must be
    void op(int *a, const int *b) { union { int i; float f; } u; u.i = *b; *a += u.i; }
         ^
  hint: write it as a kernel in Go, or without casts, unions and functions of libraries`},
		{"C with a cast", c("void op(int *a, const int *b) { *a += ((const char *)b)[0]; }"), `op2: loop k over cells: argument 1 (count, reduced): kernel op: op.c:1:6: it holds C that cannot be translated, and operations must be
    void op(int *a, const int *b) { *a += ((const char *)b)[0]; }
         ^
  hint: write it as a kernel in Go, or without casts, unions and functions of libraries`},
		{"C that divides", c("void op(int *a, const int *b) { *a /= *b; }"), `op2: loop k over cells: argument 1 (count, reduced): kernel op: op.c:1:6: it may fail on some values: by a subscript that is not known to be in range, an integer division, or a shift
    void op(int *a, const int *b) { *a /= *b; }
         ^
  hint: an operation must be defined for all values`},
		{"C with a function of a library", c("#include <stdlib.h>\nvoid op(int *a, const int *b) { *a += rand() + *b; }"), `op2: loop k over cells: argument 1 (count, reduced): kernel op: op.c:2:39: undefined function: rand
    void op(int *a, const int *b) { *a += rand() + *b; }
                                          ^
  hint: define it in the source of the kernel`},
		{"C that is no identity", c("void op(int *a, const int *b) { *a += *b + 1; }"), `op2: loop k over cells: argument 1 (count, reduced): operation op: 0 is no identity: combined with itself it becomes 1
  hint: an identity changes no value that it is combined with: 0 in sums, infinity in minima`},
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
