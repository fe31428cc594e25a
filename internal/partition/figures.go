package partition

import (
	"slices"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/sorting"
)

// Figures are the costs of a partition of a mesh, with one layer of halo. Lists are by part.
type Figures struct {
	Parts     int
	Sets      []SetFigures
	Neighbors []int // other parts that a part exchanges messages with
	// Cut is the number of the elements of Cutting that connect elements of different parts; Cutting is the
	// map to the leading set that connects its elements, or nil.
	Cut     int
	Cutting *order.Map

	pairs []uint64 // neighbors, each pair once: lower<<32 | higher
}

// SetFigures are the elements of one set: those that parts own, those of others that they execute
// and those that they only read, as package halo defines them.
type SetFigures struct{ Owned, Executed, Read []int }

// MeanMax returns the mean of the values and the largest.
func MeanMax(values []int) (mean float64, largest int) {
	for _, v := range values {
		mean += float64(v) / float64(len(values))
		largest = max(largest, v)
	}
	return mean, largest
}

// Analyze returns the figures of a partition, from the owners of the elements of each set.
func Analyze(m *order.Mesh, owners [][]int32, parts int) *Figures {
	a := &analysis{mesh: m, owners: owners, figures: &Figures{Parts: parts, Neighbors: make([]int, parts)}}
	for s := range m.Sets {
		f := SetFigures{make([]int, parts), make([]int, parts), make([]int, parts)}
		for _, p := range owners[s] {
			f.Owned[p]++
		}
		a.figures.Sets = append(a.figures.Sets, f)
		a.executors = append(a.executors, a.execute(s))
	}
	for s := range m.Sets {
		a.read(s)
	}
	a.countNeighbors()
	if leader := m.Leader(func(int) bool { return false }); leader >= 0 {
		a.figures.Cutting = m.Connecting(leader)
		a.figures.Cut = cutOf(a.figures.Cutting, owners)
	}
	return a.figures
}

// cutOf returns the number of cut elements: those whose targets by a map have several owners.
func cutOf(f *order.Map, owners [][]int32) (cut int) {
	if f == nil {
		return 0
	}
	for i := 0; i < len(f.Values); i += f.Arity {
		first := int32(nobody)
		for _, t := range f.Values[i : i+f.Arity] {
			if t < 0 {
				continue
			}
			p := owners[f.To][t]
			if first != nobody && p != first {
				cut++
				break
			}
			first = p
		}
	}
	return cut
}

// analysis finds the halos of all parts at once.
type analysis struct {
	mesh      *order.Mesh
	owners    [][]int32
	figures   *Figures
	executors []lists.Lists[int32] // by set: the parts that execute an element besides its owner
	pairs     []uint64             // as in Figures, some more than once
}

// execute finds the parts that execute elements of a set that they do not own: E_1, the owners of targets of
// the element. Package halo finds the same on each rank from what it has; here all owners are known.
func (a *analysis) execute(s int) lists.Lists[int32] {
	own := a.owners[s]
	l := lists.Lists[int32]{Starts: make([]int, len(own)+1)}
	for e, owner := range own {
		first := len(l.Values)
		for i := range a.mesh.Maps {
			f := &a.mesh.Maps[i]
			if f.From != s {
				continue
			}
			for _, t := range f.Values[e*f.Arity : (e+1)*f.Arity] {
				if t < 0 {
					continue
				}
				if p := a.owners[f.To][t]; p != owner && !slices.Contains(l.Values[first:], p) {
					l.Values = append(l.Values, p)
					a.figures.Sets[s].Executed[p]++
					a.exchange(p, owner)
				}
			}
		}
		l.Starts[e+1] = len(l.Values)
	}
	return l
}

// read finds the parts that read elements of a set that they neither own nor execute: R_1.
func (a *analysis) read(s int) {
	readers := lists.Collect(a.mesh.Sets[s].Size, func(add func(target, part int32)) { a.eachRead(s, add) })
	for e, owner := range a.owners[s] {
		list := readers.Of(int32(e))
		sorting.Int32s(list)
		for _, p := range slices.Compact(list) {
			a.figures.Sets[s].Read[p]++
			a.exchange(p, owner)
		}
	}
}

// eachRead calls visit with each target in a set and each part that executes a source of the target, but neither owns
// nor executes the target itself.
func (a *analysis) eachRead(s int, visit func(target, part int32)) {
	for i := range a.mesh.Maps {
		f := &a.mesh.Maps[i]
		if f.To != s {
			continue
		}
		for e := range int32(len(a.owners[f.From])) {
			others := a.executors[f.From].Of(e)
			own := a.owners[f.From][e]
			for _, t := range f.Values[int(e)*f.Arity : (int(e)+1)*f.Arity] {
				if t < 0 {
					continue
				}
				owner := a.owners[s][t]
				if owner == own && len(others) == 0 {
					continue
				}
				has := a.executors[s].Of(t)
				if own != owner && !slices.Contains(has, own) {
					visit(t, own)
				}
				for _, p := range others {
					if p != owner && !slices.Contains(has, p) {
						visit(t, p)
					}
				}
			}
		}
	}
}

// manyPairs is the number of pairs at which repeated ones are dropped.
const manyPairs = 1 << 22

// exchange notes that two parts exchange messages.
func (a *analysis) exchange(p, q int32) {
	if len(a.pairs) == cap(a.pairs) && len(a.pairs) >= manyPairs {
		sorting.Uint64s(a.pairs)
		a.pairs = slices.Compact(a.pairs)
	}
	a.pairs = append(a.pairs, uint64(min(p, q))<<32|uint64(max(p, q)))
}

func (a *analysis) countNeighbors() {
	sorting.Uint64s(a.pairs)
	a.figures.pairs = slices.Compact(a.pairs)
	for _, pair := range a.figures.pairs {
		a.figures.Neighbors[pair>>32]++
		a.figures.Neighbors[uint32(pair)]++
	}
}
