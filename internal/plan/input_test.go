package plan

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mustBuild builds a plan and checks it.
func mustBuild(t testing.TB, in *Input) *Plan {
	t.Helper()
	p, err := Build(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(in, p); err != nil {
		t.Fatalf("%v\n%+v", err, p.Report())
	}
	return p
}

// through makes data that are reached through whole maps.
func through(collides, stage bool, maps ...MapID) Data {
	d := Data{Collides: collides, Stage: stage}
	for _, m := range maps {
		d.Refs = append(d.Refs, Ref{m, All})
	}
	return d
}

// randomInput returns a small input of any shape: sets of any size, maps of any arity that lead
// anywhere, nearby, or all to one, with masked values and repeats, in any order.
func randomInput(seed uint64) *Input {
	r := rand.New(rand.NewPCG(seed, 7))
	set := r.IntN(300)
	if r.IntN(8) == 0 {
		set = r.IntN(3)
	}
	targets := []int{1 + r.IntN(2*set+2), max(set, 1+r.IntN(20))}
	in := &Input{
		First: r.IntN(set + 1), BlockSize: []int{1, 2, 7, 16, 64, 1000}[r.IntN(6)],
		ElementColors: r.IntN(2) == 0, ByColor: r.IntN(3) > 0, Workers: 1 + r.IntN(4),
	}
	if r.IntN(2) == 0 {
		in.First = 0
	}
	in.Last = in.First + r.IntN(set-in.First+1)
	if r.IntN(2) == 0 {
		in.Last = set
	}
	var of [2][]MapID // by target set
	for id := range 1 + r.IntN(4) {
		to := r.IntN(2)
		in.Maps = append(in.Maps, randomMap(r, MapID(id), set, targets[to]))
		of[to] = append(of[to], MapID(id))
	}
	for range 1 + r.IntN(4) {
		to := r.IntN(2)
		d := Data{Collides: r.IntN(2) == 0, Stage: r.IntN(2) == 0}
		for range r.IntN(4) {
			if ids := of[to]; len(ids) > 0 {
				m := in.mapOf(ids[r.IntN(len(ids))])
				d.Refs = append(d.Refs, Ref{m.ID, r.IntN(m.Arity+1) - 1})
			}
			if to == 1 && r.IntN(8) == 0 {
				d.Refs = append(d.Refs, Ref{Map: Direct})
			}
		}
		in.Data = append(in.Data, d)
	}
	r.Shuffle(len(in.Maps), func(i, j int) { in.Maps[i], in.Maps[j] = in.Maps[j], in.Maps[i] })
	if r.IntN(3) == 0 {
		for range r.IntN(5) {
			in.Boundaries = append(in.Boundaries, in.First+r.IntN(in.Last-in.First+1))
		}
		slices.Sort(in.Boundaries)
	}
	return in
}

func randomMap(r *rand.Rand, id MapID, set, targets int) Map {
	m := Map{ID: id, Arity: 1 + r.IntN(4), Targets: targets}
	kind, masked := r.IntN(4), r.IntN(3) == 0
	for e := range set {
		for c := range m.Arity {
			v := r.IntN(targets)
			switch kind {
			case 0: // near
				v = (e + c) % targets
			case 1: // few
				v = r.IntN(min(3, targets))
			case 2: // repeated in a row
				if c > 0 {
					v = int(m.Values[len(m.Values)-1])
				}
			}
			if masked && r.IntN(4) == 0 {
				v = -1 - r.IntN(3)
			}
			m.Values = append(m.Values, int32(v))
		}
	}
	return m
}

// permuted returns the same input, written in another order and with data repeated.
func permuted(in *Input, seed uint64) *Input {
	r := rand.New(rand.NewPCG(seed, 8))
	q := *in
	q.Maps = slices.Clone(in.Maps)
	q.Data = nil
	for _, d := range in.Data {
		d.Refs = slices.Concat(d.Refs, d.Refs)
		r.Shuffle(len(d.Refs), func(i, j int) { d.Refs[i], d.Refs[j] = d.Refs[j], d.Refs[i] })
		q.Data = append(q.Data, d, d)
	}
	r.Shuffle(len(q.Maps), func(i, j int) { q.Maps[i], q.Maps[j] = q.Maps[j], q.Maps[i] })
	r.Shuffle(len(q.Data), func(i, j int) { q.Data[i], q.Data[j] = q.Data[j], q.Data[i] })
	return &q
}

func TestInvalidInputs(t *testing.T) {
	edges := Map{ID: 3, Arity: 2, Targets: 3, Values: []int32{0, 1, 1, 2}}
	faces := Map{ID: 4, Arity: 1, Targets: 9, Values: []int32{0, 1}}
	valid := func() Input {
		return Input{Last: 2, BlockSize: 1, Maps: []Map{edges, faces}, Data: []Data{through(true, true, 3)}}
	}
	tests := []struct {
		change func(*Input)
		want   string
	}{
		{func(in *Input) { in.First = -1 }, "plan: a range within 0 to 2147483647 is needed, [-1, 2) was given"},
		{func(in *Input) { in.First = 3 }, "plan: a range within 0 to 2147483647 is needed, [3, 2) was given"},
		{func(in *Input) { in.BlockSize = 0 }, "plan: blocks of at least 1 element are needed, 0 was given"},
		{func(in *Input) { in.Boundaries = []int{1, 0} }, "plan: ascending boundaries within [0, 2) are needed, [1 0] were given"},
		{func(in *Input) { in.Boundaries = []int{3} }, "plan: ascending boundaries within [0, 2) are needed, [3] were given"},
		{func(in *Input) { in.Maps[1].ID = 3 }, "plan: two maps have the ID 3"},
		{func(in *Input) { in.Maps[1].ID = -1 }, "plan: the ID of a map is not negative, -1 was given"},
		{func(in *Input) { in.Maps[1].Arity = 0 }, "plan: map 4: an arity of at least 1 is needed, 0 was given"},
		{func(in *Input) { in.Maps[1].Targets = -1 }, "plan: map 4: 0 to 2147483647 targets are needed, -1 were given"},
		{func(in *Input) { in.Last = 3 }, "plan: map 3: 4 values of arity 2 do not reach element 2"},
		{func(in *Input) { in.Data[0].Refs[0].Map = 8 }, "plan: data 0: there is no map 8"},
		{func(in *Input) { in.Data[0].Refs[0].Component = 2 }, "plan: data 0: map 3 has components 0 to 1, not 2"},
		{func(in *Input) { in.Data[0].Refs = append(in.Data[0].Refs, Ref{4, 0}) }, "plan: data 0: map 3 leads to 3 targets, map 4 to 9"},
		{func(in *Input) { in.Maps[0].Targets = 1; in.Data[0].Refs = append(in.Data[0].Refs, Ref{Map: Direct}) },
			"plan: data 0: reached directly by 2 elements, map 3 leads to 1"},
		{func(in *Input) { in.Maps[0].Targets = 2 }, "plan: map 3: value 2, of component 1 for element 1, is not one of the 2 targets"},
	}
	for _, test := range tests {
		in := valid()
		test.change(&in)
		if _, err := Build(&in); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if _, err := NewCache(1).Get(&in); err == nil || !strings.HasPrefix(err.Error(), "plan: ") {
			t.Errorf("from the cache: %v", err)
		}
	}
}
