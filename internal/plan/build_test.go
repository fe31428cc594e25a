package plan

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// A ring of six edges: edge e joins nodes e and e+1.
func ring() *Input {
	return &Input{
		Last: 6, BlockSize: 2, ElementColors: true, Workers: 1,
		Maps: []Map{{ID: 0, Arity: 2, Targets: 6, Values: []int32{0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0}}},
		Data: []Data{through(false, true, 0), through(true, true, 0)},
	}
}

func TestRing(t *testing.T) {
	p := mustBuild(t, ring())
	slots := []Ref{{0, 0}, {0, 1}}
	want := &Plan{
		Last: 6, BlockSize: 2,
		BlockOffsets: []int32{0, 2, 4, 6},
		BlockColors:  []int32{2, 1, 0}, Colors: 3, ColorBound: 2,
		BlocksByColor: []int32{2, 1, 0}, ColorOffsets: []int32{0, 1, 2, 3},
		ElementColors: []int32{0, 1, 0, 1, 0, 1}, ElementColorCounts: []int32{2, 2, 2}, ElementBound: 2,
		Colored: []Reach{{slots, 12, 9}},
		Tables: []Table{{
			Reach:   Reach{slots, 12, 9},
			Offsets: []int32{0, 3, 6, 9},
			Targets: []int32{0, 1, 2, 2, 3, 4, 0, 4, 5},
			Local:   []uint16{0, 1, 1, 2, 0, 1, 1, 2, 1, 2, 2, 0},
		}},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
}

func TestRandomInputs(t *testing.T) {
	for seed := range uint64(3000) {
		in := randomInput(seed)
		p, err := Build(in)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := Check(in, p); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		other := permuted(in, seed)
		other.Workers = 1 + int(seed%5)
		q, err := Build(other)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !reflect.DeepEqual(p, q) {
			t.Fatalf("seed %d: the order of the input makes a difference", seed)
		}
		for d := range in.Data {
			if (p.TableOf(in, d) >= 0) != (in.Data[d].Stage && in.slots(d) != nil) {
				t.Fatalf("seed %d: data %d has table %d", seed, d, p.TableOf(in, d))
			}
		}
	}
}

func allToOne(elements, blockSize int) *Input {
	return &Input{
		Last: elements, BlockSize: blockSize, ElementColors: true,
		Maps: []Map{{Arity: 1, Targets: 1, Values: make([]int32, elements)}},
		Data: []Data{through(true, true, 0)},
	}
}

// Blocks are as few as their size allows, and as equal: packs are not cut.
func TestEqualBlocks(t *testing.T) {
	for _, test := range []struct {
		in   Input
		want []int32
	}{
		{Input{Last: 10, BlockSize: 4}, []int32{0, 4, 7, 10}},
		{Input{Last: 9, BlockSize: 4}, []int32{0, 3, 6, 9}},
		{Input{Last: 8, BlockSize: 4}, []int32{0, 4, 8}},
		{Input{First: 1, Last: 8, BlockSize: 4}, []int32{1, 5, 8}},
		{Input{Last: 100, BlockSize: 48}, []int32{0, 48, 80, 100}},
		{Input{Last: 130, BlockSize: 64, Boundaries: []int{0, 65}}, []int32{0, 48, 65, 113, 130}},
	} {
		if got := mustBuild(t, &test.in).BlockOffsets; !slices.Equal(got, test.want) {
			t.Errorf("%+v: got %v, want %v", test.in, got, test.want)
		}
	}
}

// Where many items reach one target, there are as many colors as items.
func TestAllToOne(t *testing.T) {
	for _, test := range []struct{ elements, blockSize int }{
		{1, 1}, {63, 1}, {64, 1}, {65, 1}, {1000, 1}, {1000, 7}, {1000, 1000}, {300, 5000}, {20000, 64}, {20000, 1},
	} {
		p := mustBuild(t, allToOne(test.elements, test.blockSize))
		blocks := (test.elements + test.blockSize - 1) / test.blockSize
		if p.Colors != blocks || p.ColorBound != blocks {
			t.Errorf("%+v: %d block colors, bound %d", test, p.Colors, p.ColorBound)
		}
		if n := min(test.elements, test.blockSize); int(p.ElementColorCounts[0]) != n || p.ElementBound != n {
			t.Errorf("%+v: %d element colors, bound %d", test, p.ElementColorCounts[0], p.ElementBound)
		}
	}
}

// Each of several targets takes many elements: they share colors.
func TestHubs(t *testing.T) {
	for _, order := range []string{"in turn", "one after the other", "at random"} {
		const hubs, each = 10, 500
		in := allToOne(hubs*each, 1)
		in.ElementColors = false
		in.Maps[0].Targets = hubs
		for e := range in.Last {
			in.Maps[0].Values[e] = int32(e % hubs)
		}
		switch order {
		case "one after the other":
			slices.Sort(in.Maps[0].Values)
		case "at random":
			shuffle(rand.New(rand.NewPCG(1, 1)), in.Maps[0].Values, 1)
		}
		f := mustBuild(t, in).Report()
		if f.Colors != each || f.SmallColor != hubs || f.LargeColor != hubs {
			t.Errorf("%s: %v", order, f)
		}
	}
}

func TestOddInputs(t *testing.T) {
	chain := func(set int) Map { // element e leads to e and e+1
		m := Map{ID: 5, Arity: 2, Targets: set + 1}
		for e := range set {
			m.Values = append(m.Values, int32(e), int32(e+1))
		}
		return m
	}
	masked := Map{ID: 5, Arity: 1, Targets: 1, Values: []int32{-1, -1, -1, -1}}
	repeated := Map{ID: 5, Arity: 3, Targets: 4, Values: []int32{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}}
	const elements = true
	tests := []struct {
		name          string
		in            Input
		colors        int
		elementColors []int32
	}{
		{"empty set", Input{BlockSize: 4, Maps: []Map{chain(0)}, Data: []Data{through(true, true, 5)}}, 0, nil},
		{"empty range", Input{First: 2, Last: 2, BlockSize: 4, Maps: []Map{chain(3)}, Data: []Data{through(true, true, 5)}}, 0, nil},
		{"no data", Input{Last: 9, BlockSize: 4}, 1, nil},
		{"one element", Input{Last: 1, BlockSize: 4, ElementColors: elements, Maps: []Map{chain(1)}, Data: []Data{through(true, true, 5)}}, 1, []int32{1}},
		{"read only", Input{Last: 9, BlockSize: 2, ElementColors: elements, Maps: []Map{chain(9)}, Data: []Data{through(false, true, 5)}}, 1, nil},
		{"direct only", Input{Last: 9, BlockSize: 2, ElementColors: elements, Data: []Data{{Refs: []Ref{{Map: Direct}}, Collides: true, Stage: true}}}, 1, nil},
		{"chain", Input{Last: 9, BlockSize: 2, ElementColors: elements, Maps: []Map{chain(9)}, Data: []Data{through(true, true, 5)}}, 2, []int32{2, 2, 2, 2, 1}},
		{"subrange", Input{First: 3, Last: 8, BlockSize: 2, ElementColors: elements, Maps: []Map{chain(9)}, Data: []Data{through(true, true, 5)}}, 2, []int32{2, 2, 1}},
		{"one component", Input{Last: 9, BlockSize: 2, ElementColors: elements, Maps: []Map{chain(9)},
			Data: []Data{{Refs: []Ref{{5, 1}}, Collides: true}}}, 1, []int32{1, 1, 1, 1, 1}},
		{"components in different data", Input{Last: 9, BlockSize: 2, ElementColors: elements, Maps: []Map{chain(9)},
			Data: []Data{{Refs: []Ref{{5, 1}}, Collides: true}, {Refs: []Ref{{5, 0}}, Collides: true}}}, 1, []int32{1, 1, 1, 1, 1}},
		{"direct and indirect", Input{Last: 9, BlockSize: 2, ElementColors: elements, Maps: []Map{chain(9)},
			Data: []Data{{Refs: []Ref{{5, 1}, {Map: Direct}}, Collides: true, Stage: true}}}, 2, []int32{2, 2, 2, 2, 1}},
		{"block larger than the range", Input{Last: 9, BlockSize: math.MaxInt, ElementColors: elements, Maps: []Map{chain(9)}, Data: []Data{through(true, true, 5)}}, 1, []int32{2}},
		{"all masked", Input{Last: 4, BlockSize: 2, ElementColors: elements, Maps: []Map{masked}, Data: []Data{through(true, true, 5)}}, 1, []int32{1, 1}},
		{"late blocks choose again", Input{Last: 4, BlockSize: 1, Maps: []Map{{ID: 5, Arity: 2, Targets: 3, Values: []int32{0, 0, 2, 2, 0, 1, 1, 2}}},
			Data: []Data{through(true, false, 5)}}, 2, nil}, // the first free color, block after block, would take 3
		{"repeats in a row", Input{Last: 4, BlockSize: 2, ElementColors: elements, Maps: []Map{repeated}, Data: []Data{through(true, true, 5)}}, 1, []int32{1, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mustBuild(t, &test.in)
			if p.Colors != test.colors || !slices.Equal(p.ElementColorCounts, test.elementColors) {
				t.Errorf("%d colors, element colors %v; want %d, %v", p.Colors, p.ElementColorCounts, test.colors, test.elementColors)
			}
		})
	}
}

// Data that are part of other data, or like them, are colored and numbered once.
func TestSharing(t *testing.T) {
	in := ring()
	in.Data = append(in.Data, Data{Refs: []Ref{{0, 1}}, Collides: true, Stage: true}, Data{Refs: []Ref{{0, 1}, {0, 0}}, Collides: true, Stage: true})
	p := mustBuild(t, in)
	if len(p.Colored) != 1 || len(p.Tables) != 2 {
		t.Fatalf("colored %v, %d tables", p.Colored, len(p.Tables))
	}
	for d, want := range []int{0, 0, 1, 0} {
		if got := p.TableOf(in, d); got != want {
			t.Errorf("data %d has table %d, not %d", d, got, want)
		}
	}
	table := &p.Tables[0]
	for _, test := range []struct {
		ref  Ref
		slot int
	}{{Ref{0, 0}, 0}, {Ref{0, 1}, 1}, {Ref{0, All}, 0}, {Ref{0, 2}, -1}, {Ref{1, 0}, -1}, {Ref{Map: Direct}, -1}} {
		if got := table.Slot(test.ref); got != test.slot {
			t.Errorf("slot of %v is %d, not %d", test.ref, got, test.slot)
		}
	}
}

func TestBlockTooLarge(t *testing.T) {
	const n = NoTarget + 1
	in := &Input{Last: n, BlockSize: n, Maps: []Map{{Arity: 1, Targets: n}}, Data: []Data{through(false, true, 0)}}
	for e := range int32(n) {
		in.Maps[0].Values = append(in.Maps[0].Values, e)
	}
	_, err := Build(in)
	want := "plan: block too large: block 0, of 65536 elements, reaches 65536 targets, local numbers go to 65535"
	if !errors.Is(err, ErrBlockTooLarge) || err.Error() != want {
		t.Errorf("got %v", err)
	}
	in.BlockSize--
	mustBuild(t, in)
	in.BlockSize, in.Data[0].Stage, in.Data[0].Collides, in.ElementColors = n, false, true, true
	mustBuild(t, in)
}

// The plan is the same for any number of workers and processors.
func TestDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	m := airfoil(t, 30, 40)
	for _, random := range []bool{false, true} {
		in := m.resCalc(128, true)
		if random {
			in = shuffled(in)
		}
		in.Workers = 1
		want := mustBuild(t, in)
		for _, processors := range []int{1, 2, 3, 8} {
			runtime.GOMAXPROCS(processors)
			for _, workers := range []int{0, 1, 2, 3, 50} {
				in.Workers = workers
				if p, err := Build(in); err != nil || !reflect.DeepEqual(p, want) {
					t.Fatalf("%d workers on %d processors: another plan (%v)", workers, processors, err)
				}
			}
		}
	}
}

// The number of colors stays close to the minimum, and colors are equally large.
func TestColorsOfAirfoil(t *testing.T) {
	m := airfoil(t, 40, 60)
	for _, blockSize := range []int{16, 64, 256} {
		f := mustBuild(t, m.resCalc(blockSize, true)).Report()
		if f.Colors > f.ColorBound+3 || f.ElementColors > f.ElementBound+2 {
			t.Errorf("too many colors:\n%v", f)
		}
		if f.LargeColor > f.SmallColor+f.SmallColor/4+2 {
			t.Errorf("unequal colors:\n%v", f)
		}
	}
}

// shuffled returns the input with the elements, and the targets of each map, in random order.
func shuffled(in *Input) *Input {
	out := *in
	out.Maps = slices.Clone(in.Maps)
	for i := range out.Maps {
		m := &out.Maps[i]
		m.Values = slices.Clone(m.Values)
		shuffle(rand.New(rand.NewPCG(1, 1)), m.Values, m.Arity) // the same order for all
		numbers := rand.New(rand.NewPCG(2, uint64(m.ID))).Perm(m.Targets)
		for j, v := range m.Values {
			m.Values[j] = int32(numbers[v])
		}
	}
	return &out
}

func shuffle(r *rand.Rand, rows []int32, width int) {
	r.Shuffle(len(rows)/width, func(i, j int) {
		for c := range width {
			rows[i*width+c], rows[j*width+c] = rows[j*width+c], rows[i*width+c]
		}
	})
}
