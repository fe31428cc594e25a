package gofunc

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/loop"
)

// p and s are the numbers of words of a pointer and of a slice.
const p, s = 1, sliceWords

func TestArrange(t *testing.T) {
	for _, test := range []struct {
		name      string
		params    []int
		registers int
		first     []int
		words     int
	}{
		{"pointers in registers", []int{p, p, p}, 9, []int{0, 1, 2}, 3},
		{"pointers on the stack", []int{p, p, p, p}, 3, []int{0, 1, 2, 3}, 4},
		{"slices in registers", []int{s, s, s}, 9, []int{0, 3, 6}, 9},
		{"slices on the stack", []int{s, s, s, s, s}, 9, []int{0, 3, 6, 9, 12}, 15},
		{"amd64: a slice that does not fit, and pointers that do", []int{s, s, p, s, p, p, p}, 9, []int{0, 3, 6, 9, 7, 8, 12}, 13},
		{"amd64: registers that are left over", []int{p, s, s, s, s}, 9, []int{0, 1, 4, 9, 12}, 15},
		{"amd64: one left over", []int{p, p, s, s, s}, 9, []int{0, 1, 2, 5, 9}, 12},
		{"arm64: one left over", []int{s, s, s, s, s, s, s}, 16, []int{0, 3, 6, 9, 12, 16, 19}, 22},
		{"arm64: it gets a pointer", []int{s, s, s, s, s, s, p, p}, 16, []int{0, 3, 6, 9, 12, 16, 15, 19}, 20},
		{"arm64: all in registers", []int{p, s, s, s, s, s}, 16, []int{0, 1, 4, 7, 10, 13}, 16},
		{"386: all on the stack", []int{p, s, p, s}, 0, []int{0, 1, 4, 5}, 8},
	} {
		first, words := arrange(test.params, test.registers)
		if !slices.Equal(first, test.first) || words != test.words {
			t.Errorf("%s: got %v of %d words, want %v of %d", test.name, first, words, test.first, test.words)
		}
	}
}

func TestPassesSlices(t *testing.T) {
	if err := passesSlices(); err != nil {
		t.Error(err)
	}
}

// wordCalls calls a function with addresses and lengths that tell its arguments apart, and returns
// those. Slices have some more capacity than length.
func wordCalls(f any, values []float64) (want []any) {
	t := reflect.TypeOf(f)
	params := make([]int, t.NumIn())
	for i := range params {
		params[i] = p
		if t.In(i).Kind() == reflect.Slice {
			params[i] = s
		}
	}
	first, words := arrange(params, registersOf(runtime.GOARCH))
	call, passed := callOf(words)
	table := newLines(uintptr(columnSize * passed))
	for i, n := range params {
		repeat(table, first[i], uintptr(P(&values[i])), 0)
		if n == p {
			want = append(want, &values[i])
			continue
		}
		repeat(table, first[i]+1, uintptr(i+1), 0)
		repeat(table, first[i]+2, uintptr(i+2), 0)
		want = append(want, values[i:2*i+1:2*i+2])
	}
	call((*[2]P)(P(&f))[1], table, 1)
	runtime.KeepAlive(values)
	return want
}

// sameArguments reports whether two lists have the same pointers and slices.
func sameArguments(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool {
		v, isSlice := x.([]float64)
		w, too := y.([]float64)
		if isSlice && too {
			return &v[0] == &w[0] && len(v) == len(w) && cap(v) == cap(w)
		}
		return x == y
	})
}

// Functions of all numbers of parameters, pointers and slices in random order.
func TestCallsByWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 2*loop.MaxArgs+2)
	for n := 1; n <= loop.MaxArgs; n++ {
		for mix := range 4 {
			in := make([]reflect.Type, n)
			for i := range in {
				in[i] = reflect.TypeFor[*float64]()
				if random.IntN(4) < mix+1 { // the last mix has slices alone
					in[i] = reflect.TypeFor[[]float64]()
				}
			}
			var got []any
			f := reflect.MakeFunc(reflect.FuncOf(in, nil, false), func(args []reflect.Value) []reflect.Value {
				for _, a := range args {
					got = append(got, a.Interface())
				}
				return nil
			})
			if want := wordCalls(f.Interface(), values); !sameArguments(got, want) {
				t.Fatalf("%v: got %v, want %v", f.Type(), got, want)
			}
		}
	}
}

// grow makes the stack move, and lets the collector run while it is deep.
func grow(depth int) int {
	var frame [64]int
	if depth == 0 {
		runtime.GC()
		return frame[depth]
	}
	return grow(depth-1) + frame[depth%64]
}

// Compiled functions see their arguments after their stacks have moved, and the collector does.
func TestCallsOfCompiledFunctions(t *testing.T) {
	type P = *float64
	type S = []float64
	var got []any
	see := func(args ...any) {
		for _, a := range args { // writes where they point
			switch a := a.(type) {
			case P:
				*a++
			case S:
				a[0]++
			}
		}
		got = args
	}
	for _, f := range []any{
		func(a S) { grow(200); see(a) },
		func(a P, b S) { grow(200); see(a, b) },
		func(a S, b P, c S) { grow(200); see(a, b, c) },
		func(a, b, c S) { grow(200); see(a, b, c) },
		func(a, b, c, d S) { grow(200); see(a, b, c, d) },
		func(a, b, c, d, e, f, g, h S) { grow(200); see(a, b, c, d, e, f, g, h) },
		func(a, b, c, d, e, f, g, h P, i S, j P) { grow(200); see(a, b, c, d, e, f, g, h, i, j) },
		func(a P, b, c, d, e S, f, g P, h S) { grow(200); see(a, b, c, d, e, f, g, h) },
		func(a, b S, c, d P, e S, f, g P, h S, i P, j S) { grow(200); see(a, b, c, d, e, f, g, h, i, j) },
		func(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q P, r S) {
			grow(200)
			see(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
		},
		func(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x S) {
			grow(200)
			see(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, u, v, w, x)
		},
	} {
		done := make(chan []any)
		values := make([]float64, 60)
		go func() { done <- wordCalls(f, values) }() // with a small stack
		want := <-done
		if !sameArguments(got, want) {
			t.Errorf("%T: got %v, want %v", f, got, want)
		}
		for i, v := range values {
			if written := i < len(want); written != (v == 1) {
				t.Errorf("%T: value %d is %v", f, i, v)
			}
		}
	}
}

// Functions of all numbers of pointers, or of slices, that lead through maps.
func TestVisits(t *testing.T) {
	values := make([]float64, len(visits))
	for n := 1; n < len(visits); n++ {
		for _, in := range []reflect.Type{reflect.TypeFor[*float64](), reflect.TypeFor[[]float64]()} {
			var got []any
			f := reflect.MakeFunc(reflect.FuncOf(slices.Repeat([]reflect.Type{in}, n), nil, false), func(args []reflect.Value) []reflect.Value {
				for _, a := range args {
					got = append(got, a.Interface())
				}
				return nil
			}).Interface()
			var b body
			var want []any
			for i := range n {
				b.slots = append(b.slots, i)
				b.columns = append(b.columns, column{i, place{base: P(&values[i]), targets: P(&origin)}})
				if in.Kind() == reflect.Slice {
					b.constants = append(b.constants, constant{word: 1}, constant{word: 1})
					want = append(want, values[i:i+1:i+1])
				} else {
					want = append(want, &values[i])
				}
			}
			b.visit(n)
			b.visitAll((*[2]P)(P(&f))[1], b.places, newLines(columnSize), 0, 1)
			if !sameArguments(got, want) {
				t.Errorf("%d of %s: got %v, want %v", n, in, got, want)
			}
		}
	}
}
