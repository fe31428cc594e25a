package loop

import (
	"slices"
	"testing"
)

// example returns a loop with arguments of each kind.
func example() *Loop {
	return &Loop{
		Kernel: "assemble",
		Args: []Arg{
			{Kind: Dat, Access: Read, Data: 0, Map: 0, Component: All, ColMap: Direct},
			{Kind: Dat, Access: Inc, Data: 1, Map: 0, Component: 2, ColMap: Direct},
			{Kind: Dat, Access: Read, Data: 2, Map: Direct, ColMap: Direct},
			{Kind: Global, Access: Max, Data: 3, Map: Direct, ColMap: Direct},
			{Kind: Index, Access: Read, Data: -1, Map: Direct, ColMap: Direct},
			{Kind: Mat, Access: Inc, Data: 4, Map: 0, Component: All, ColMap: 1},
		},
		Data: []Data{
			{Kind: Dat, Type: Float64, Dim: 2}, {Kind: Dat, Type: Float32, Dim: 4}, {Kind: Dat, Type: Float32, Dim: 4},
			{Kind: Global, Type: Int32, Dim: 1}, {Kind: Mat, Type: Float64, Dim: 1, ColDim: 2},
		},
		Maps:     []Map{{Arity: 3}, {Arity: 4}},
		Nonzeros: []Nonzeros{{Rows: 0, Cols: 1, Masked: true}},
	}
}

const exampleKernel = "kernel go\nfunc () ()\n"

// What is stored under a hash is found only as long as this text stays the same: if it has to
// change, meaningVersion must, too.
func TestMeaning(t *testing.T) {
	const want = `op2 loop 1
over subset
dat float64 2
dat float32 4
dat float32 4
global int32 1
mat float64 1 by 2
map 3
map 4
entries 0 1 masked
argument read data 0 map 0 all
argument inc data 1 map 0 component 2
argument read data 2
argument max data 3
argument index
argument inc data 4 entries 0
kernel go
func () ()
`
	if got := example().Meaning(true, exampleKernel); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if h := example().Hash(true, exampleKernel); h.String() != "0530dd120d8364dc25229ec03d63a024ef8d6d005c89a8bd2dc44290134efe47" || h.Short() != "0530dd120d" {
		t.Errorf("got %s, %s", h, h.Short())
	}
}

var scalarLayout = &Layout{Name: "float64", Size: 8, Align: 8, Scalar: Float64}

func TestHashChanges(t *testing.T) {
	hash := example().Hash(false, exampleKernel)
	for _, test := range []struct {
		name string
		edit func(*Loop)
		same bool
	}{
		{"the kernel's name", func(l *Loop) { l.Kernel = "other" }, true},
		{"a layout", func(l *Loop) { l.Data[0].SoA = true }, true},
		{"the search for nonzeros", func(l *Loop) { l.Nonzeros[0].Search = true }, true},

		{"an access", func(l *Loop) { l.Args[1].Access = RW }, false},
		{"a component", func(l *Loop) { l.Args[1].Component = 0 }, false},
		{"one component instead of all", func(l *Loop) { l.Args[0].Component = 0 }, false},
		{"direct instead of through a map", func(l *Loop) { l.Args[1].Map = Direct }, false},
		{"another map", func(l *Loop) { l.Args[1].Map = 1 }, false},
		{"a map's arity", func(l *Loop) { l.Maps[0].Arity = 6 }, false},
		{"a dim", func(l *Loop) { l.Data[0].Dim = 3 }, false},
		{"a type", func(l *Loop) { l.Data[0].Type = Float32 }, false},
		{"columns of a mat's blocks", func(l *Loop) { l.Data[4].ColDim = 1 }, false},
		{"no masks", func(l *Loop) { l.Nonzeros[0].Masked = false }, false},
		{"other columns", func(l *Loop) { l.Nonzeros[0].Cols = 0 }, false},
		{"two arguments of the same dat", func(l *Loop) { l.Args[2].Data = 1 }, false},
		{"the order of arguments", func(l *Loop) { slices.Reverse(l.Args) }, false},
		{"an argument less", func(l *Loop) { l.Args = l.Args[:5] }, false},
		{"numbers from a table", func(l *Loop) { l.Args[4].Data = 2 }, false},
		{"fresh values", func(l *Loop) { l.Data[0].Fresh = true }, false},
		{"a parameter of parts", func(l *Loop) { l.Args[0].Rows, l.Args[0].Cols = 1, 6 }, false},
		{"a block of a local matrix", func(l *Loop) { l.Args[5].Rows, l.Args[5].Cols = 3, 10 }, false},
		{"values of a struct", func(l *Loop) {
			l.Data[0].Value = &Layout{Size: 16, Align: 8, Fields: []Field{{"X", 0, scalarLayout}, {"Y", 8, scalarLayout}}}
		}, false},
		{"a dat instead of a global", func(l *Loop) { l.Data[3].Kind = Dat }, false},
	} {
		l := example()
		test.edit(l)
		if got := l.Hash(false, exampleKernel); (got == hash) != test.same {
			t.Errorf("%s: the hash stays the same: %v", test.name, got == hash)
		}
	}
	if example().Hash(true, exampleKernel) == hash || example().Hash(false, exampleKernel+" return\n") == hash {
		t.Error("a subset, or another kernel, has the same hash")
	}
}

func TestParams(t *testing.T) {
	l := &Loop{Args: []Arg{{}, {}, {Next: true, Offset: 6}, {}, {Next: true}, {Next: true}, {}}}
	var got []int
	for i := range l.Args {
		got = append(got, l.Param(i))
	}
	if want := []int{0, 1, 1, 2, 2, 2, 3}; !slices.Equal(got, want) || l.Params() != 4 {
		t.Errorf("got %v, of %d, want %v", got, l.Params(), want)
	}
	if n := (&Loop{}).Params(); n != 0 {
		t.Errorf("%d parameters without arguments", n)
	}
}
