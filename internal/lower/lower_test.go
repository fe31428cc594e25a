package lower_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// The existing targets, with diagnostics.
var (
	host   = lower.Target{Pointers: true, AddsFrom: 1, Alone: true, Poison: true}
	gofunc = lower.Target{Pointers: true, Strips: true, AddsFrom: 5, Poison: true}
	packs  = lower.Target{AddsFrom: 1, Lanes: func(v *kernel.Var) bool { return v.Name != "i" }}
	device = lower.Target{Apart: true, AddsFrom: 1, Collisions: lower.Last, Poison: true}
	staged = lower.Target{Apart: true, AddsFrom: 1, Collisions: lower.Last, Staged: true, Poison: true}
	placed = lower.Target{Apart: true, AddsFrom: 1, Collisions: lower.Last, Staged: true, InTurn: true, InPlace: true, Poison: true}
	atomic = lower.Target{Apart: true, AddsFrom: 1, Collisions: lower.Atomically, Poison: true}
	gather = lower.Target{Apart: true, AddsFrom: 1, Collisions: lower.Gathers}
)

func TestLower(t *testing.T) {
	for _, g := range groups {
		for _, test := range g.programs {
			t.Run(g.name+"/"+test.on, func(t *testing.T) {
				got := lower.Lower(&g.loop, g.kernel(t), test.target).String()
				if want := strings.TrimPrefix(test.want, "\n"); got != want {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
			})
		}
	}
}

type group struct {
	name     string
	kernel   func(*testing.T) *kernel.Kernel
	loop     loop.Loop
	programs []program
}

type program struct {
	on     string
	target lower.Target
	want   string
}

func dat(s loop.Scalar, dim int) loop.Data {
	return loop.Data{Kind: loop.Dat, Type: s, Dim: dim}
}

// recordDat holds numbers of two types, as words.
var recordDat = loop.Data{Kind: loop.Dat, Type: loop.Uint32, Dim: 2, Value: &loop.Layout{Size: 8, Align: 4, Fields: []loop.Field{
	{Name: "A", Layout: &loop.Layout{Size: 4, Align: 4, Scalar: loop.Float32}}, {Name: "B", Offset: 4, Layout: &loop.Layout{Size: 4, Align: 4, Scalar: loop.Int32}}}}}

func arg(access loop.Access, d, m, component int) loop.Arg {
	return loop.Arg{Kind: loop.Dat, Access: access, Data: d, Map: m, ColMap: loop.Direct, Component: component}
}

func global(access loop.Access, d int) loop.Arg {
	return loop.Arg{Kind: loop.Global, Access: access, Data: d, Map: loop.Direct, ColMap: loop.Direct}
}

// first returns an argument as the first part of a parameter, next as another one.
func first(a loop.Arg, offset, rows, cols int) loop.Arg {
	a.Offset, a.Rows, a.Cols = offset, rows, cols
	return a
}

func next(a loop.Arg, offset, rows, cols int) loop.Arg {
	a.Next = true
	return first(a, offset, rows, cols)
}

func block(access loop.Access, d, m, cols, nonzeros int) loop.Arg {
	return loop.Arg{Kind: loop.Mat, Access: access, Data: d, Map: m, ColMap: cols, Component: loop.All, Nonzeros: nonzeros}
}

func fromGo(source string) func(*testing.T) *kernel.Kernel {
	return func(t *testing.T) *kernel.Kernel {
		t.Helper()
		k, err := fromgo.Parse("package kernels\n"+source).Kernel("k", "k.go", 0)
		if err != nil {
			t.Fatal(err)
		}
		kernel.Analyze(k, nil)
		return k
	}
}

func fromC(source string, shapes ...kernel.Shape) func(*testing.T) *kernel.Kernel {
	return func(t *testing.T) *kernel.Kernel {
		t.Helper()
		k, err := fromc.Kernel("k", source, nil)
		if err != nil {
			t.Fatal(err)
		}
		kernel.Analyze(k, shapes)
		return k
	}
}

var groups = []group{
	{
		"every access of one element",
		fromGo(`
func k(r *[2]float64, w *[2]float64, rw, only, inc, low *[2]float64) {
	*w = *r
	rw[0] += 1
	only[0] += r[0]
	inc[1] = r[1]
	low[0] = r[0]
}`),
		loop.Loop{
			Args: []loop.Arg{arg(loop.Read, 0, 0, 1), arg(loop.Write, 1, loop.Direct, 0), arg(loop.RW, 2, loop.Direct, 0),
				arg(loop.Inc, 3, 0, 0), arg(loop.Inc, 4, 0, 1), arg(loop.Min, 5, 0, 0)},
			Data: []loop.Data{dat(loop.Float64, 2), dat(loop.Float64, 2), dat(loop.Float64, 2), dat(loop.Float64, 2), dat(loop.Float64, 2), dat(loop.Float64, 2)},
			Maps: []loop.Map{{Arity: 2}},
		},
		[]program{
			{"host", host, `
local   inc_copy [2]float64
local   low_copy [2]float64
before  data1[n] = poison
before  inc_copy = 0
before  low_copy = data5[map0[0]]
call    k(&data0[map0[1]], &data1[n], &data2[n], &data3[map0[0]], &inc_copy, &low_copy)
after   data4[map0[1]] += inc_copy
after   data5[map0[0]] min= low_copy
maps    0
`},
			{"go", gofunc, `
local   inc_copy [2]float64
local   low_copy [2]float64
before  data1[n] = poison
before  inc_copy = 0
before  low_copy = data5[map0[0]]
call    k(&data0[map0[1]], &data1[n], &data2[n], &data3[map0[0]], &inc_copy, &low_copy)
after   data4[map0[1]] += inc_copy
after   data5[map0[0]] min= low_copy
maps    0
`},
			{"device", device, `
local   r_copy [2]float64
local   w_copy [2]float64
local   rw_copy [2]float64
local   only_copy [2]float64
local   inc_copy [2]float64
local   low_copy [2]float64
before  r_copy = data0[map0[1]]
before  w_copy = poison
before  rw_copy = data2[n]
before  only_copy = 0
before  inc_copy = 0
before  low_copy = data5[map0[0]]
call    k(&r_copy, &w_copy, &rw_copy, &only_copy, &inc_copy, &low_copy)
after   data1[n] = w_copy
after   data2[n] = rw_copy
collide data3[map0[0]] += only_copy
collide data4[map0[1]] += inc_copy
collide data5[map0[0]] min= low_copy
maps    0
`},
			{"staged", staged, `
local   r_copy [2]float64
local   w_copy [2]float64
local   rw_copy [2]float64
local   only_copy [2]float64
local   inc_copy [2]float64
local   low_copy [2]float64
stage   shared0 load, then nothing
stage   shared3 zero, then add
stage   shared4 zero, then add
stage   shared5 load, then store
before  r_copy = shared0[local0[0]]
before  w_copy = poison
before  rw_copy = data2[n]
before  only_copy = 0
before  inc_copy = 0
before  low_copy = shared5[local5[0]]
call    k(&r_copy, &w_copy, &rw_copy, &only_copy, &inc_copy, &low_copy)
after   data1[n] = w_copy
after   data2[n] = rw_copy
collide shared3[local3[0]] += only_copy
collide shared4[local4[0]] += inc_copy
collide shared5[local5[0]] min= low_copy
`},
			{"staged in place", placed, `
local   w_copy [2]float64
local   rw_copy [2]float64
local   inc_copy [2]float64
local   low_copy [2]float64
stage   shared0 load, then nothing
stage   shared3 zero, then add
stage   shared4 zero, then add
stage   shared5 load, then store
before  w_copy = poison
before  rw_copy = data2[n]
before  inc_copy = 0
before  low_copy = shared5[local5[0]]
in turn k(&shared0[local0[0]], &w_copy, &rw_copy, &shared3[local3[0]], &inc_copy, &low_copy)
after   data1[n] = w_copy
after   data2[n] = rw_copy
collide shared4[local4[0]] += inc_copy
collide shared5[local5[0]] min= low_copy
`},
			{"packs", packs, `
local   r_copy [2]float64, of a pack
local   w_copy [2]float64, of a pack
local   rw_copy [2]float64, of a pack
local   only_copy [2]float64, of a pack
local   inc_copy [2]float64, of a pack
local   low_copy [2]float64, of a pack
before  r_copy = data0[map0[1]]
before  rw_copy = data2[n]
before  only_copy = 0
before  inc_copy = 0
before  low_copy = data5[map0[0]]
call    k(&r_copy, &w_copy, &rw_copy, &only_copy, &inc_copy, &low_copy)
after   data1[n] = w_copy
after   data2[n] = rw_copy
after   data3[map0[0]] += only_copy
after   data4[map0[1]] += inc_copy
after   data5[map0[0]] min= low_copy
maps    0
`},
		},
	},
	{
		"all components of a map, in Go",
		fromGo(`
func k(x *[3][2]float64, n *[3]int32, sum *[2][2]float64) {
	n[0] = 1
	sum[0][0] += x[0][0]
}`),
		loop.Loop{
			Args: []loop.Arg{arg(loop.Read, 0, 0, loop.All), arg(loop.Max, 1, 0, loop.All), arg(loop.Inc, 2, 1, loop.All)},
			Data: []loop.Data{dat(loop.Float64, 2), dat(loop.Int32, 1), dat(loop.Float64, 2)},
			Maps: []loop.Map{{Arity: 3}, {Arity: 2}},
		},
		[]program{
			{"host", host, `
local   x_packed [3][2]float64
local   n_packed [3][1]int32
local   sum_packed [2][2]float64
before  x_packed = data0[map0[0:3]]
before  n_packed = data1[map0[0:3]]
before  sum_packed = 0
call    k(&x_packed, &n_packed, &sum_packed)
after   data1[map0[0:3]] max= n_packed
after   data2[map1[0:2]] += sum_packed
maps    0 1
`},
			{"atomic", atomic, `
local   x_packed [3][2]float64
local   n_packed [3][1]int32
local   sum_packed [2][2]float64
before  x_packed = data0[map0[0:3]]
before  n_packed = data1[map0[0:3]]
before  sum_packed = 0
call    k(&x_packed, &n_packed, &sum_packed)
collide data1[map0[0:3]] max= n_packed, atomically
collide data2[map1[0:2]] += sum_packed, atomically
maps    0 1
`},
			{"staged", staged, `
local   x_packed [3][2]float64
local   n_packed [3][1]int32
local   sum_packed [2][2]float64
stage   shared0 load, then nothing
stage   shared1 load, then store
stage   shared2 zero, then add
before  x_packed = shared0[local0[0:3]]
before  n_packed = shared1[local1[0:3]]
before  sum_packed = 0
call    k(&x_packed, &n_packed, &sum_packed)
collide shared1[local1[0:3]] max= n_packed
collide shared2[local2[0:2]] += sum_packed
`},
		},
	},
	{
		"all components of a map, as pointers in C",
		fromC("void k(double *x[2], double *y[2], double *low[2]) { y[0][0] = x[0][0]; low[0][0] = x[1][0]; }",
			kernel.Shape{Rows: 2, Cols: 1}, kernel.Shape{Rows: 2, Cols: 1}, kernel.Shape{Rows: 2, Cols: 1}),
		loop.Loop{
			Args: []loop.Arg{arg(loop.Read, 0, 0, loop.All), arg(loop.Write, 1, 0, loop.All), arg(loop.Max, 2, 0, loop.All)},
			Data: []loop.Data{dat(loop.Float64, 1), dat(loop.Float64, 1), dat(loop.Float64, 1)},
			Maps: []loop.Map{{Arity: 2}},
		},
		[]program{
			{"host", host, `
local   low_packed [2][1]float64
before  data1[map0[0:2]] = poison
before  low_packed = data2[map0[0:2]]
call    k(rows of data0[map0[0:2]], rows of data1[map0[0:2]], rows of low_packed)
after   data2[map0[0:2]] max= low_packed
maps    0
`},
			{"device", device, `
local   x_packed [2][1]float64
local   y_packed [2][1]float64
local   low_packed [2][1]float64
before  x_packed = data0[map0[0:2]]
before  y_packed = poison
before  low_packed = data2[map0[0:2]]
call    k(rows of x_packed, rows of y_packed, rows of low_packed)
collide data1[map0[0:2]] = y_packed
collide data2[map0[0:2]] max= low_packed
maps    0
`},
		},
	},
	{
		"numbers from a table",
		fromC("void k(int *n, double *x) { *x = *n; }", kernel.Shape{Rows: 1, Cols: 1, Number: true}, kernel.Shape{Rows: 1, Cols: 1}),
		loop.Loop{
			Args: []loop.Arg{{Kind: loop.Index, Access: loop.Read, Data: 0, Map: loop.Direct, ColMap: loop.Direct}, arg(loop.Inc, 1, 0, 0)},
			Data: []loop.Data{dat(loop.Int64, 1), dat(loop.Float64, 1)},
			Maps: []loop.Map{{Arity: 2}},
		},
		[]program{
			{"host", host, `
local   n_number [1]int32
local   x_copy [1]float64
before  n_number = data0[n]
before  x_copy = 0
call    k(&n_number, &x_copy)
after   data1[map0[0]] += x_copy
maps    0
`},
			{"staged", staged, `
local   n_number [1]int32
local   x_copy [1]float64
stage   shared1 zero, then add
before  n_number = data0[n]
before  x_copy = 0
call    k(&n_number, &x_copy)
collide shared1[local1[0]] += x_copy
`},
		},
	},
	{
		"globals",
		fromGo(`
func two(s *[2]float64) float64 { return s[0] }
func k(n *int, i *int32, s *[2]float64, few *float64, many *[8]float64, low *float32) {
	*few += two(s)
	many[*n&7] += s[1]
	*low = float32(*i)
}`),
		loop.Loop{
			Args: []loop.Arg{{Kind: loop.Index, Access: loop.Read, Data: -1, Map: loop.Direct, ColMap: loop.Direct},
				global(loop.Read, 0), global(loop.Read, 1), global(loop.Inc, 2), global(loop.Inc, 3), global(loop.Min, 4)},
			Data: []loop.Data{{Kind: loop.Global, Type: loop.Int32, Dim: 1}, {Kind: loop.Global, Type: loop.Float64, Dim: 2}, {Kind: loop.Global, Type: loop.Float64, Dim: 1},
				{Kind: loop.Global, Type: loop.Float64, Dim: 8}, {Kind: loop.Global, Type: loop.Float32, Dim: 1}},
		},
		[]program{
			{"host", host, `
local   n_number [1]int64
local   few_partial [1]float64, of the loop
local   many_partial [8]float64, of the loop
local   low_partial [1]float32, of the loop
local   low_share [1]float32
begin   few_partial = 0
begin   many_partial = 0
begin   low_partial = data4
before  n_number = number
before  low_share = low_partial
call    k(&n_number, &data0, &data1, &few_partial, &many_partial, &low_share)
after   low_partial min= low_share
finish  data2 += few_partial
finish  data3 += many_partial
finish  data4 = low_partial
`},
			{"go", gofunc, `
local   n_number [1]int64
local   few_partial [1]float64, of the loop
local   few_share [1]float64
local   many_partial [8]float64, of the loop
local   low_partial [1]float32, of the loop
local   low_share [1]float32
begin   few_partial = 0
begin   many_partial = 0
begin   low_partial = data4
before  n_number = number
before  few_share = 0
before  low_share = low_partial
call    k(&n_number, &data0, &data1, &few_share, &many_partial, &low_share)
after   few_partial += few_share
after   low_partial min= low_share
finish  data2 += few_partial
finish  data3 += many_partial
finish  data4 min= low_partial
`},
			{"packs", packs, `
local   n_number [1]int64, of a pack
local   s_value [2]float64, of the loop, of a pack
local   few_partial [1]float64, of the loop, of a pack
local   many_partial [8]float64, of the loop, of a pack
local   low_partial [1]float32, of the loop, of a pack
local   low_share [1]float32, of a pack
begin   few_partial = 0
begin   many_partial = 0
begin   low_partial = data4
first   s_value = data1
before  n_number = number
before  low_share = low_partial
call    k(&n_number, &data0, &s_value, &few_partial, &many_partial, &low_share)
after   low_partial min= low_share
finish  data2 += few_partial
finish  data3 += many_partial
finish  data4 min= low_partial
`},
			{"device", device, `
local   n_number [1]int64
local   s_value [2]float64
local   few_partial [1]float64, of the loop
local   many_partial [8]float64, of the loop
local   low_partial [1]float32, of the loop
local   low_share [1]float32
begin   few_partial = 0
begin   many_partial = 0
begin   low_partial = data4
before  n_number = number
before  s_value = data1
before  low_share = low_partial
call    k(&n_number, &data0, &s_value, &few_partial, &many_partial, &low_share)
after   low_partial min= low_share
finish  data2 += few_partial
finish  data3 += many_partial
finish  data4 min= low_partial
`},
		},
	},
	{
		"what one element leaves to another",
		fromGo("func k(x *float64, y *[2]float64) { *x = y[0]; y[1]++ }"),
		loop.Loop{
			Args: []loop.Arg{arg(loop.Write, 0, loop.Direct, 0), arg(loop.RW, 1, 0, loop.All)},
			Data: []loop.Data{dat(loop.Float64, 1), dat(loop.Float64, 1)},
			Maps: []loop.Map{{Arity: 2}},
		},
		[]program{
			{"go", gofunc, `
local   y_packed [2][1]float64
before  data0[n] = poison
before  y_packed = data1[map0[0:2]]
in turn k(&data0[n], &y_packed)
after   data1[map0[0:2]] = y_packed
maps    0
`},
			{"staged", staged, `
local   x_copy [1]float64
local   y_packed [2][1]float64
stage   shared1 load, then store
before  x_copy = poison
before  y_packed = shared1[local1[0:2]]
in turn k(&x_copy, &y_packed)
after   data0[n] = x_copy
collide shared1[local1[0:2]] = y_packed
`},
		},
	},
	{
		"one dat in several ways",
		fromGo(`
func k(a, b *[2]float64, all *[2][2]float64) {
	a[0] += 1
	b[1] = 2
	all[0][0] += 3
}`),
		loop.Loop{
			Args: []loop.Arg{arg(loop.Inc, 0, 0, 0), arg(loop.Inc, 0, loop.Direct, 0), arg(loop.Inc, 0, 1, loop.All)},
			Data: []loop.Data{dat(loop.Float64, 2)},
			Maps: []loop.Map{{Arity: 3}, {Arity: 2}},
		},
		[]program{
			{"host", host, `
local   b_copy [2]float64
local   all_packed [2][2]float64
before  b_copy = 0
before  all_packed = 0
call    k(&data0[map0[0]], &b_copy, &all_packed)
after   data0[n] += b_copy
after   data0[map1[0:2]] += all_packed
maps    0 1
`},
			{"go", gofunc, `
local   a_copy [2]float64
local   b_copy [2]float64
local   all_packed [2][2]float64
before  a_copy = 0
before  b_copy = 0
before  all_packed = 0
call    k(&a_copy, &b_copy, &all_packed)
after   data0[map0[0]] += a_copy
after   data0[n] += b_copy
after   data0[map1[0:2]] += all_packed
maps    0 1
`},
			{"device", device, `
local   a_copy [2]float64
local   b_copy [2]float64
local   all_packed [2][2]float64
before  a_copy = 0
before  b_copy = 0
before  all_packed = 0
call    k(&a_copy, &b_copy, &all_packed)
collide data0[map0[0]] += a_copy
collide data0[n] += b_copy
collide data0[map1[0:2]] += all_packed
maps    0 1
`},
			{"staged", staged, `
local   a_copy [2]float64
local   b_copy [2]float64
local   all_packed [2][2]float64
stage   shared0 zero, then add
before  a_copy = 0
before  b_copy = 0
before  all_packed = 0
call    k(&a_copy, &b_copy, &all_packed)
collide shared0[local0[1]] += a_copy
collide shared0[local0[0]] += b_copy
collide shared0[local0[2:4]] += all_packed
`},
		},
	},
	{
		"what targets gather",
		fromGo("func k(x *float64, a, b *float64) { *a += *x; *b -= *x }"),
		loop.Loop{
			Args: []loop.Arg{arg(loop.Read, 0, 0, 0), arg(loop.Inc, 1, 1, 0), arg(loop.Inc, 1, 1, 1)},
			Data: []loop.Data{dat(loop.Float64, 1), dat(loop.Float64, 1)},
			Maps: []loop.Map{{Arity: 2}, {Arity: 2}},
		},
		[]program{
			{"device", gather, `
local   x_copy [1]float64
local   a_copy [1]float64
local   b_copy [1]float64
before  x_copy = data0[map0[0]]
before  a_copy = 0
before  b_copy = 0
call    k(&x_copy, &a_copy, &b_copy)
collide gathered[column 0] += a_copy
collide gathered[column 1] += b_copy
maps    0
`},
		},
	},
	{
		"matrices",
		fromGo(`
func k(add *[2][2]float64, set *[4][6]float64) {
	add[0][0] = 1
	set[3][5] = 1
}`),
		loop.Loop{
			Args: []loop.Arg{{Kind: loop.Mat, Access: loop.Inc, Data: 0, Map: 0, ColMap: 0, Component: loop.All, Nonzeros: 0},
				{Kind: loop.Mat, Access: loop.Write, Data: 1, Map: 0, ColMap: 0, Component: loop.All, Nonzeros: 1}},
			Data:     []loop.Data{{Kind: loop.Mat, Type: loop.Float64, Dim: 1, ColDim: 1}, {Kind: loop.Mat, Type: loop.Float64, Dim: 2, ColDim: 3}},
			Maps:     []loop.Map{{Arity: 2}},
			Nonzeros: []loop.Nonzeros{{Search: true}, {Masked: true}},
		},
		[]program{
			{"host", host, `
local   add_matrix [2][2]float64
local   set_matrix [4][6]float64
before  add_matrix = 0
before  set_matrix = poison
call    k(&add_matrix, &set_matrix)
after   data0[nonzeros0] += add_matrix, 2 by 2 blocks of 1 by 1, searched by map0 and map0
after   data1[nonzeros1] = set_matrix, 2 by 2 blocks of 2 by 3, masked
maps    0
`},
			{"atomic", atomic, `
local   add_matrix [2][2]float64
local   set_matrix [4][6]float64
before  add_matrix = 0
before  set_matrix = poison
call    k(&add_matrix, &set_matrix)
after   data1[nonzeros1] = set_matrix, 2 by 2 blocks of 2 by 3, masked
collide data0[nonzeros0] += add_matrix, 2 by 2 blocks of 1 by 1, searched by map0 and map0, atomically
maps    0
`},
		},
	},
	{
		"parameters of parts",
		fromGo(`
func k(u, low, f *[13]float64, w *[3]float64, a *[13][16]float64) {
	f[12] = u[0]
	*w = [3]float64{}
	a[12][15] = 1
}`),
		loop.Loop{
			Args: []loop.Arg{first(arg(loop.Read, 0, 0, loop.All), 0, 1, 13), next(arg(loop.Read, 1, 1, loop.All), 12, 1, 13),
				first(arg(loop.Min, 2, 0, loop.All), 0, 1, 13), next(arg(loop.Min, 3, 1, loop.All), 12, 1, 13),
				first(arg(loop.Inc, 4, 0, loop.All), 0, 1, 13), next(arg(loop.Inc, 5, 1, loop.All), 12, 1, 13),
				first(arg(loop.Write, 6, 2, loop.All), 0, 1, 3),
				first(block(loop.Inc, 7, 0, 2, 0), 12, 13, 16), next(block(loop.Inc, 8, 1, 0, 1), 12*16, 13, 16)},
			Data: []loop.Data{dat(loop.Float64, 2), dat(loop.Float64, 1), dat(loop.Float64, 2), dat(loop.Float64, 1), dat(loop.Float64, 2), dat(loop.Float64, 1), dat(loop.Float64, 1),
				{Kind: loop.Mat, Type: loop.Float64, Dim: 2, ColDim: 1}, {Kind: loop.Mat, Type: loop.Float64, Dim: 1, ColDim: 2}},
			Maps:     []loop.Map{{Arity: 6}, {Arity: 1}, {Arity: 3}},
			Nonzeros: []loop.Nonzeros{{Search: true}, {}},
		},
		[]program{
			{"host", host, `
local   u_packed [13]float64
local   low_packed [13]float64
local   f_packed [13]float64
local   w_packed [3]float64
local   a_matrix [13][16]float64
before  u_packed[0:12] = data0[map0[0:6]]
before  u_packed[12:13] = data1[map1[0]]
before  low_packed[0:12] = data2[map0[0:6]]
before  low_packed[12:13] = data3[map1[0]]
before  f_packed = 0
before  w_packed = poison
before  a_matrix = 0
call    k(&u_packed, &low_packed, &f_packed, &w_packed, &a_matrix)
after   data2[map0[0:6]] min= low_packed[0:12]
after   data3[map1[0]] min= low_packed[12:13]
after   data4[map0[0:6]] += f_packed[0:12]
after   data5[map1[0]] += f_packed[12:13]
after   data6[map2[0:3]] = w_packed
after   data7[nonzeros0] += a_matrix, 6 by 3 blocks of 2 by 1, from row 0 and column 12, searched by map0 and map2
after   data8[nonzeros1] += a_matrix, 1 by 6 blocks of 1 by 2, from row 12 and column 0
maps    0 1 2
`},
			{"staged", staged, `
local   u_packed [13]float64
local   low_packed [13]float64
local   f_packed [13]float64
local   w_packed [3]float64
local   a_matrix [13][16]float64
stage   shared0 load, then nothing
stage   shared1 load, then nothing
stage   shared2 load, then store
stage   shared3 load, then store
stage   shared4 zero, then add
stage   shared5 zero, then add
stage   shared6 nothing, then store
before  u_packed[0:12] = shared0[local0[0:6]]
before  u_packed[12:13] = shared1[local1[0]]
before  low_packed[0:12] = shared2[local2[0:6]]
before  low_packed[12:13] = shared3[local3[0]]
before  f_packed = 0
before  w_packed = poison
before  a_matrix = 0
call    k(&u_packed, &low_packed, &f_packed, &w_packed, &a_matrix)
collide shared2[local2[0:6]] min= low_packed[0:12]
collide shared3[local3[0]] min= low_packed[12:13]
collide shared4[local4[0:6]] += f_packed[0:12]
collide shared5[local5[0]] += f_packed[12:13]
collide shared6[local6[0:3]] = w_packed
collide data7[nonzeros0] += a_matrix, 6 by 3 blocks of 2 by 1, from row 0 and column 12, searched by map0 and map2
collide data8[nonzeros1] += a_matrix, 1 by 6 blocks of 1 by 2, from row 12 and column 0
maps    0 2
`},
		},
	},
	{"operations and records", fromGo(`func k(best, low, sum *int64) { *best = 3; *low = 3; *sum = 3 }`), loop.Loop{
		Args: []loop.Arg{global(loop.Reduce, 0), arg(loop.Reduce, 1, 0, 0), arg(loop.Inc, 2, 0, 0)},
		Data: []loop.Data{{Kind: loop.Global, Type: loop.Int64, Dim: 1}, dat(loop.Int64, 1), recordDat},
		Maps: []loop.Map{{Arity: 1}},
		Ops:  []*loop.Op{{}},
	}, []program{
		{"host", host, `
local   best_partial [1]int64, of the loop
local   best_share [1]int64
local   low_copy [1]int64
local   sum_copy [2]uint32
begin   best_partial = identity
before  best_share = identity
before  low_copy = identity
before  sum_copy = 0
call    k(&best_share, &low_copy, &sum_copy)
after   best_partial operation= best_share
after   data1[map0[0]] operation= low_copy
after   data2[map0[0]] += sum_copy
finish  data0 operation= best_partial
maps    0
`},
		{"staged", staged, `
local   best_partial [1]int64, of the loop
local   best_share [1]int64
local   low_copy [1]int64
local   sum_copy [2]uint32
stage   shared1 load, then store
stage   shared2 load, then store
begin   best_partial = identity
before  best_share = identity
before  low_copy = identity
before  sum_copy = 0
call    k(&best_share, &low_copy, &sum_copy)
after   best_partial operation= best_share
collide shared1[local1[0]] operation= low_copy
collide shared2[local2[0]] += sum_copy
finish  data0 operation= best_partial
`},
	}},
}
