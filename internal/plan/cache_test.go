package plan

import (
	"slices"
	"sync"
	"testing"
)

// Loops share a plan if and only if they have the same structure.
func TestCache(t *testing.T) {
	nodes := Map{ID: 1, Arity: 2, Targets: 7, Values: []int32{0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6}}
	cells := Map{ID: 2, Arity: 2, Targets: 9, Values: []int32{0, 8, 1, 7, 2, 6, 3, 5, 4, 4, 5, 3}}
	base := func() *Input {
		return &Input{Last: 6, BlockSize: 2, Maps: []Map{nodes, cells}, Data: []Data{through(false, true, 1), through(true, true, 2)}}
	}
	tests := []struct {
		name   string
		change func(*Input)
		shared bool
	}{
		{"the same", func(in *Input) {}, true},
		{"other order of data", func(in *Input) { slices.Reverse(in.Data) }, true},
		{"other order of maps", func(in *Input) { slices.Reverse(in.Maps) }, true},
		{"more of the same data", func(in *Input) { in.Data = append(in.Data, in.Data...) }, true},
		{"one component after the other", func(in *Input) { in.Data[0].Refs = []Ref{{1, 1}, {1, 0}} }, true},
		{"data that are only read, in place", func(in *Input) { in.Data = append(in.Data, through(false, false, 1, 1)) }, true},
		{"direct data", func(in *Input) { in.Data = append(in.Data, Data{[]Ref{{Map: Direct}}, true, true}) }, true},
		{"part of colliding data", func(in *Input) { in.Data = append(in.Data, Data{[]Ref{{2, 1}}, true, false}) }, true},
		{"another map, not used", func(in *Input) { in.Maps = append(in.Maps, Map{ID: 3, Arity: 1, Targets: 1, Values: make([]int32, 6)}) }, true},
		{"workers", func(in *Input) { in.Workers = 3 }, true},
		{"elements colored", func(in *Input) { in.ElementColors = true }, false},
		{"elements listed by color", func(in *Input) { in.ElementColors, in.ByColor = true, true }, false},
		{"other block size", func(in *Input) { in.BlockSize = 3 }, false},
		{"a boundary", func(in *Input) { in.Boundaries = []int{3} }, false},
		{"other first", func(in *Input) { in.First = 1 }, false},
		{"other last", func(in *Input) { in.Last = 5 }, false},
		{"other data collide", func(in *Input) { in.Data[0].Collides = true }, false},
		{"none collide", func(in *Input) { in.Data[1].Collides = false }, false},
		{"fewer staged", func(in *Input) { in.Data[0].Stage = false }, false},
		{"other component", func(in *Input) { in.Data[0].Refs = []Ref{{1, 1}} }, false},
		{"another map", func(in *Input) { in.Maps[0].ID = 3; in.Data[0].Refs[0].Map = 3 }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := NewCache(1 << 20)
			first, err := c.Get(base())
			if err != nil {
				t.Fatal(err)
			}
			in := base()
			test.change(in)
			second, err := c.Get(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := Check(in, second); err != nil {
				t.Error(err)
			}
			if (first == second) != test.shared {
				t.Errorf("shared: %t", first == second)
			}
			want := CacheStats{Hits: 1, Misses: 1, Plans: 1}
			if !test.shared {
				want = CacheStats{Hits: 0, Misses: 2, Plans: 2}
			}
			got := c.Stats()
			got.Bytes = 0
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// Without colliding data, requesting element colors makes no difference.
func TestCacheWithoutCollisions(t *testing.T) {
	in := ring()
	in.Data[1].Collides = false
	c := NewCache(1 << 20)
	first, _ := c.Get(in)
	in.ElementColors = !in.ElementColors
	if second, err := c.Get(in); err != nil || first != second {
		t.Errorf("two plans, error %v", err)
	}
}

// The cache drops the least recently used plans, and keeps the latest plan of any size.
func TestCacheIsBounded(t *testing.T) {
	sized := func(blockSize int) *Input {
		in := ring()
		in.BlockSize = blockSize
		return in
	}
	c := NewCache(1)
	get := func(blockSize int) { // and find out whether it hit
		t.Helper()
		if _, err := c.Get(sized(blockSize)); err != nil {
			t.Fatal(err)
		}
	}
	get(1)
	get(1)
	get(2)
	if s := c.Stats(); s.Hits != 1 || s.Plans != 1 {
		t.Errorf("a cache of 1 byte: %+v", s)
	}
	c = NewCache(3 * c.Stats().Bytes)
	for _, blockSize := range []int{2, 3, 4, 2, 5, 6, 2} {
		get(blockSize)
	}
	s := c.Stats()
	if s.Hits != 2 || s.Plans < 2 || s.Plans > 4 {
		t.Errorf("the one in use was dropped: %+v", s)
	}
	if get(3); c.Stats().Misses != s.Misses+1 {
		t.Error("the oldest was kept")
	}
}

func TestCacheConcurrently(t *testing.T) {
	c := NewCache(10 << 20)
	var group sync.WaitGroup
	for worker := range uint64(4) {
		group.Go(func() {
			for seed := range uint64(20) {
				in := randomInput(seed)
				for i := range in.Maps { // the seeds' maps are different ones
					in.Maps[i].ID += MapID(10 * seed)
				}
				for d := range in.Data {
					for r := range in.Data[d].Refs {
						if in.Data[d].Refs[r].Map != Direct {
							in.Data[d].Refs[r].Map += MapID(10 * seed)
						}
					}
				}
				p, err := c.Get(permuted(in, seed+worker))
				if err != nil || Check(in, p) != nil {
					t.Errorf("seed %d: %v, %v", seed, err, Check(in, p))
				}
			}
		})
	}
	group.Wait()
	if s := c.Stats(); s.Hits+s.Misses != 80 || s.Misses > 20 {
		t.Errorf("%+v", s)
	}
}
