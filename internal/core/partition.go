package core

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/problem"
)

// Partition distributes the mesh to the ranks now, rather than at the first loop. Coordinates are as
// for Renumber. It is collective, and does nothing on one process.
func (rt *Runtime) Partition(coordinates []*Data) error {
	if slices.Contains(coordinates, nil) {
		return fmt.Errorf("op2: Partition: coordinates %d are nil", slices.Index(coordinates, nil)+1)
	}
	if !rt.Several() {
		return nil
	}
	if m := rt.Mesh(); m.sealed {
		return fmt.Errorf("op2: Partition: %s\n"+
			"  hint: call it once all sets are declared, before the first sparsity, loop and solver: what is declared later follows them", rt.Mesh().distributed())
	}
	if len(coordinates) > 0 {
		rt.Mesh().coordinates = coordinates
	}
	return rt.Seal("the mesh has been distributed", byPartition)
}

// distribute gives each rank its part of what has been declared: the elements it owns and their
// halo, with their values. It is collective.
func (rt *Runtime) distribute(coordinates []*Data) error {
	if err := rt.checkDeclarations(coordinates); err != nil {
		return err
	}
	m := rt.Mesh()
	c := rt.Comm()
	defer m.spareMemory()()
	options, err := rt.partitioning()
	if err != nil {
		return rt.broken(err)
	}
	owners, err := m.owners(rt, coordinates, options)
	if err == nil {
		options.Method, err = rt.sharesMethod(coordinates, options.Method)
	}
	if err = rt.Agree(err); err != nil {
		return err
	}
	if err := rt.shareOwners(owners); err != nil {
		return err
	}
	mesh := m.divide(rt, owners)
	if err := rt.repartition(mesh, coordinates, options); err != nil {
		return err
	}
	local, err := halo.Build(c, mesh, max(1, rt.config.Depth))
	if err != nil {
		return rt.broken(err)
	}
	if options.Method == "" && slices.ContainsFunc(m.sets, (*Set).shared) {
		if err := rt.warnOfHalos(local); err != nil {
			return err
		}
	}
	reach, err := m.reach(c, mesh, local)
	if err != nil {
		return rt.broken(err)
	}
	rt.numbers.Lock()
	defer rt.numbers.Unlock()
	for i, f := range m.maps {
		f.Localize(local.Maps[i], reach[i])
	}
	if err := m.localize(rt, local); err != nil {
		return err
	}
	for i, s := range m.sets {
		s.localize(&local.Sets[i])
	}
	return nil
}

// divide returns what this rank owns of the mesh, and lets go of the maps' values.
func (m *declared) divide(rt *Runtime, owners map[*Set][]int32) *halo.Mesh {
	number := map[*Set]int{}
	mesh := &halo.Mesh{}
	for i, s := range m.sets {
		number[s] = i
		set := halo.Set{Name: s.name, Size: s.Whole()}
		if s.shared() {
			set.Owned, set.Home = s.numbersHere(), halo.Shares(s.Shares())
		} else {
			set.Owned, set.Home = ownedBy(rt.Rank(), owners[s]), halo.Whole(owners[s])
		}
		mesh.Sets = append(mesh.Sets, set)
	}
	for _, f := range m.maps {
		from := number[f.from]
		mesh.Maps = append(mesh.Maps, halo.Map{Name: f.name, From: from, To: number[f.to], Arity: f.arity, Values: f.rowsOf(mesh.Sets[from].Owned)})
		f.Release()
	}
	return mesh
}

// localize keeps the values and the subsets of the elements that are going to be here, one set after
// another.
func (m *declared) localize(rt *Runtime, local *halo.Local) error {
	stored, err := m.stored(rt)
	if err != nil {
		return err
	}
	for i, s := range m.sets {
		p, err := s.picker(local.Sets[i].Numbers)
		if err != nil {
			return err
		}
		for _, w := range m.dats {
			if d := w.Value(); d != nil && d.set == s {
				if err := d.localize(p, d.storage.Unallocated() && !stored[d]); err != nil {
					return err
				}
			}
		}
		for _, sub := range m.subsets {
			if sub.of == s {
				if err := sub.localize(p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stored returns the dats on shares of which some rank has stored values. It is collective.
func (m *declared) stored(rt *Runtime) (map[*Data]bool, error) {
	ranks := make([]int64, len(m.held))
	for i, d := range m.held {
		if !d.storage.Unallocated() {
			ranks[i] = 1
		}
	}
	if len(ranks) > 0 {
		if err := comm.Reduce(rt.Comm(), loop.Max, ranks); err != nil {
			return nil, rt.broken(err)
		}
	}
	stored := map[*Data]bool{}
	for i, d := range m.held {
		stored[d] = ranks[i] != 0
	}
	return stored, nil
}

// worthwhile is the part of a halo above which a loop is sent all of it, whatever its maps reach:
// then later loops need not be sent the rest.
const worthwhile = 0.8

// reach returns for each map the messages with what elements that loops run over reach through it;
// nil if that is almost all of the halo.
func (m *declared) reach(c comm.Comm, mesh *halo.Mesh, local *halo.Local) ([]*halo.Reach, error) {
	reach := make([]*halo.Reach, len(m.maps))
	counts := make([]int64, 2*len(m.maps)) // over all ranks: what the map reaches, and the halo
	for i, f := range m.maps {
		if f.masked {
			continue
		}
		to := &local.Sets[mesh.Maps[i].To]
		needed := make([]bool, to.Total())
		for _, t := range local.Maps[i] {
			if t >= 0 {
				needed[t] = true
			}
		}
		parts, err := halo.Restrict(c, to, needed)
		if err != nil {
			return nil, err
		}
		reach[i] = &halo.Reach{Map: f.name, Parts: parts}
		counts[2*i], counts[2*i+1] = received(parts), received(to.Parts)
	}
	if len(counts) > 0 {
		if err := comm.Reduce(c, loop.Inc, counts); err != nil {
			return nil, err
		}
	}
	for i := range reach {
		if float64(counts[2*i]) >= worthwhile*float64(counts[2*i+1]) {
			reach[i] = nil
		}
	}
	return reach, nil
}

// received returns the number of elements that messages bring.
func received(parts []halo.Part) int64 {
	n := 0
	for _, p := range parts {
		for _, r := range p.Receives {
			n += r.Count
		}
	}
	return int64(n)
}

// shareOwners gives all ranks the owners that rank 0 has found, or compares those that the program gives.
// It is collective.
func (rt *Runtime) shareOwners(owners map[*Set][]int32) error {
	if rt.config.Owner != nil {
		return rt.checkOwners(owners)
	}
	for _, s := range rt.Mesh().sets {
		if owners[s] == nil { // in shares
			continue
		}
		if err := rt.Comm().Broadcast(0, Bytes(owners[s])); err != nil {
			return rt.broken(err)
		}
	}
	return nil
}

// owners returns the rank that is going to own each element of the sets that were declared whole. Unless
// the program says so, rank 0 finds that out for all: on a machine, ranks would do so at the same time,
// each with memory of its own.
func (m *declared) owners(rt *Runtime, coordinates []*Data, options partition.Options) (map[*Set][]int32, error) {
	mesh, sets, err := m.describe(rt, "Partition", coordinates)
	if err != nil {
		return nil, err
	}
	owners := map[*Set][]int32{}
	if len(sets) == 0 {
		return owners, nil
	}
	if !slices.ContainsFunc(mesh.Sets, func(s order.Set) bool { return s.Coordinates != nil }) && len(sets) < len(m.sets) &&
		(options.Method == "bisect" || options.Method == "curve") {
		options.Method = "auto" // these coordinates are for sets in shares
	}
	if f := rt.config.Owner; f != nil {
		for _, s := range sets {
			owners[s] = make([]int32, s.Total())
			for e := range owners[s] {
				owners[s][e] = int32(f(s.name, s.known(e)))
			}
		}
		return owners, nil
	}
	if rt.Rank() > 0 {
		for _, s := range sets {
			owners[s] = make([]int32, s.Total())
		}
		return owners, nil
	}
	stop := rt.config.Backend.Stop
	options.Stopped = stop.Raised
	found, err := partition.Whole(mesh, options)
	if stop.Err() != nil {
		err = stop.Err()
	}
	if err != nil {
		return nil, problem.Errorf("op2: Partition: %w", err)
	}
	for i, s := range sets {
		owners[s] = found[i]
	}
	return owners, nil
}

// partitioning returns how the mesh is to be divided among the ranks. It is collective.
func (rt *Runtime) partitioning() (partition.Options, error) {
	o := partition.Options{Parts: rt.Ranks(), Method: rt.config.Partitioner, Warn: rt.warnAsOne, Workers: rt.config.Backend.Threads}
	weights := make([]float64, o.Parts)
	weights[rt.Rank()] = rt.config.Weight
	if err := comm.Reduce(rt.Comm(), loop.Inc, weights); err != nil {
		return o, err
	}
	if slices.ContainsFunc(weights, func(w float64) bool { return w != weights[0] }) {
		o.Weights = weights
	}
	return o, nil
}

// ownedBy returns the numbers of the elements that a rank owns, ascending.
func ownedBy(rank int, owners []int32) []int64 {
	n := 0
	for _, r := range owners {
		if int(r) == rank {
			n++
		}
	}
	owned := make([]int64, 0, n)
	for e, r := range owners {
		if int(r) == rank {
			owned = append(owned, int64(e))
		}
	}
	return owned
}

// rowsOf returns the values of a map for some elements, as global numbers.
func (m *Map) rowsOf(elements []int64) halo.Numbers {
	if m.from.shared() {
		return *m.global
	}
	rows := halo.NewNumbers(len(elements)*m.arity, m.to.Whole())
	at := 0
	for _, e := range elements {
		for i := int(e) * m.arity; i < (int(e)+1)*m.arity; i++ {
			if m.global != nil {
				rows.Set(at, m.global.At(i))
			} else {
				rows.Set(at, int64(m.values[i]))
			}
			at++
		}
	}
	return rows
}
