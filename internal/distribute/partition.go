// Package distribute gives the elements of a mesh their final order and their ranks, once all of it is declared: it
// compares what the ranks have declared, finds owners, and moves maps, values and subsets to them.
package distribute

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Partition distributes the mesh to the ranks now, rather than at the first loop. Coordinates are as
// for Renumber. It is collective, and does nothing on one process.
func Partition(rt *entity.Runtime, coordinates []*entity.Data) error {
	if slices.Contains(coordinates, nil) {
		return fmt.Errorf("op2: Partition: coordinates %d are nil", slices.Index(coordinates, nil)+1)
	}
	if !rt.Several() {
		return nil
	}
	if err := checkOpen(rt, "Partition"); err != nil {
		return err
	}
	if len(coordinates) > 0 {
		rt.Mesh().Coordinates = coordinates
	}
	return rt.Seal("the mesh has been distributed", entity.ByPartition)
}

// checkOpen returns an error if the mesh has been distributed already.
func checkOpen(rt *entity.Runtime, what string) error {
	if !rt.Mesh().Sealed {
		return nil
	}
	return fmt.Errorf("op2: %s: %s\n"+
		"  hint: call it once all sets are declared, before the first sparsity, loop and solver: what is declared later follows them", what, rt.Mesh().Distributed())
}

// distribute gives each rank its part of what has been declared: the elements it owns and their
// halo, with their values. It is collective.
func distribute(rt *entity.Runtime, coordinates []*entity.Data) error {
	if err := checkDeclarations(rt, coordinates); err != nil {
		return err
	}
	m := rt.Mesh()
	placed := slices.DeleteFunc(slices.Clone(coordinates), func(d *entity.Data) bool { return !d.Set().Shared() })
	defer spareMemory(m)()
	options, err := partitioning(rt)
	if err != nil {
		return rt.Broken(err)
	}
	given, err := givenOwners(rt)
	if err = rt.Agree(err); err != nil {
		return err
	}
	owners, err := owners(m, rt, coordinates, given, options)
	if err = rt.Agree(err); err != nil { // of one rank, perhaps: what follows is collective
		return err
	}
	if len(given) > 0 {
		options.Method = "" // shares move to the owners, or stay
	} else {
		options.Method, err = sharesMethod(rt, placed, options)
	}
	if err = rt.Agree(err); err != nil {
		return err
	}
	if err := shareOwners(rt, owners); err != nil {
		return err
	}
	mesh := divide(m, rt, owners)
	if err := repartition(rt, mesh, placed, given, options); err != nil {
		return err
	}
	var halos *halo.Local
	err = settle(rt, mesh, m.Sets, m.Maps, func(local *halo.Local) error {
		halos = local
		dats := slices.Collect(entity.Reachable(&m.Dats))
		return bringValues(rt, m.Sets, dats, m.Held, m.Subsets, func(i int) (*halo.Fetcher, error) { return m.Sets[i].Fetcher(local.Sets[i].Numbers) })
	})
	if err == nil && options.Method == "" && len(given) == 0 {
		err = warnOfHalos(rt, halos)
	}
	return err
}

// settle finds the halos of a mesh whose elements have their owners, and gives maps and sets what is going to be here of
// them, in local numbers. Meanwhile values brings those of dats and subsets. It is collective.
func settle(rt *entity.Runtime, mesh *halo.Mesh, sets []*entity.Set, maps []*entity.Map, values func(*halo.Local) error) error {
	local, err := halo.Build(rt.Comm(), mesh, max(1, rt.Config().Depth))
	if err != nil {
		return rt.Broken(err)
	}
	reach, err := reach(maps, rt.Comm(), mesh, local)
	if err != nil {
		return rt.Broken(err)
	}
	rt.Numbers().Lock()
	defer rt.Numbers().Unlock()
	for i, f := range maps {
		f.Localize(local.Maps[i], reach[i])
	}
	if err := values(local); err != nil {
		return err
	}
	for i, s := range sets {
		s.Localize(&local.Sets[i])
	}
	return nil
}

// divide returns what this rank owns of the mesh, and lets go of the maps' values.
func divide(m *entity.Declared, rt *entity.Runtime, owners map[*entity.Set][]int32) *halo.Mesh {
	number := map[*entity.Set]int{}
	mesh := &halo.Mesh{}
	for i, s := range m.Sets {
		number[s] = i
		set := halo.Set{Name: s.Name(), Size: s.Whole()}
		if s.Shared() {
			set.Owned, set.Home = s.Numbers(), halo.Shares(s.Shares())
		} else {
			set.Owned, set.Home = ownedBy(rt.Rank(), owners[s]), halo.Whole(owners[s])
		}
		mesh.Sets = append(mesh.Sets, set)
	}
	for _, f := range m.Maps {
		from := number[f.From()]
		mesh.Maps = append(mesh.Maps, halo.Map{Name: f.Name(), From: from, To: number[f.To()], Arity: f.Arity(), Values: rowsOf(f, mesh.Sets[from].Owned)})
		f.Release()
	}
	return mesh
}

// bringValues brings the values and the subsets of the elements that are going to be here, one set after another, by what from
// returns for a set. Some of the dats, held, all ranks have. It is collective.
func bringValues(rt *entity.Runtime, sets []*entity.Set, dats, held []*entity.Data, subsets []*entity.Subset, from func(set int) (*halo.Fetcher, error)) error {
	stored, err := stored(rt, held)
	if err != nil {
		return err
	}
	for i, s := range sets {
		from, err := from(i)
		if err != nil {
			return rt.Broken(err)
		}
		for _, d := range dats {
			if d.Set() == s {
				if err := d.Localize(from, d.Storage().Unallocated() && !stored[d]); err != nil {
					return err
				}
			}
		}
		for _, sub := range subsets {
			if sub.Of() == s {
				if err := sub.Localize(from); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stored reports of which dats some rank has stored values. It is collective.
func stored(rt *entity.Runtime, dats []*entity.Data) (map[*entity.Data]bool, error) {
	ranks := make([]int64, len(dats))
	for i, d := range dats {
		if !d.Storage().Unallocated() {
			ranks[i] = 1
		}
	}
	if err := comm.Max(rt.Comm(), ranks); err != nil {
		return nil, rt.Broken(err)
	}
	stored := map[*entity.Data]bool{}
	for i, d := range dats {
		stored[d] = ranks[i] != 0
	}
	return stored, nil
}

// worthwhile is the part of a halo above which a loop is sent all of it, whatever its maps reach:
// then later loops need not be sent the rest.
const worthwhile = 0.8

// reach returns for each map the messages with what elements that loops run over reach through it;
// nil if that is almost all of the halo.
func reach(maps []*entity.Map, c comm.Comm, mesh *halo.Mesh, local *halo.Local) ([]*halo.Reach, error) {
	reach := make([]*halo.Reach, len(maps))
	counts := make([]int64, 2*len(maps)) // over all ranks: what the map reaches, and the halo
	for i, f := range maps {
		if f.IsMasked() {
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
		reach[i] = &halo.Reach{Map: f.Name(), Parts: parts}
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
func shareOwners(rt *entity.Runtime, owners map[*entity.Set][]int32) error {
	if rt.Config().Owner != nil {
		return checkOwners(rt, owners)
	}
	for _, s := range rt.Mesh().Sets {
		if owners[s] == nil { // in shares
			continue
		}
		if err := rt.Comm().Broadcast(0, store.Bytes(owners[s])); err != nil {
			return rt.Broken(err)
		}
	}
	return nil
}

// owners returns the rank that is going to own each element of the sets that were declared whole. Unless
// the program says so, rank 0 finds that out for all: on a machine, ranks would do so at the same time,
// each with memory of its own.
func owners(m *entity.Declared, rt *entity.Runtime, coordinates []*entity.Data, given map[*entity.Set][]int32, options partition.Options) (map[*entity.Set][]int32, error) {
	mesh, sets, err := describe(m, rt, "Partition", coordinates)
	if err != nil {
		return nil, err
	}
	owners := map[*entity.Set][]int32{}
	if len(sets) == 0 {
		return owners, nil
	}
	if !slices.ContainsFunc(mesh.Sets, func(s order.Set) bool { return s.Coordinates != nil }) && (len(sets) < len(m.Sets) || len(given) > 0) &&
		(options.Method == "bisect" || options.Method == "curve") {
		options.Method = "auto" // these coordinates are for sets in shares, or owners are given instead
	}
	if f := rt.Config().Owner; f != nil {
		for _, s := range sets {
			owners[s] = make([]int32, s.Total())
			for e := range owners[s] {
				owners[s][e] = int32(f(s.Name(), s.Known(e)))
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
	for _, s := range sets {
		options.Owners = append(options.Owners, given[s])
	}
	stop := rt.Config().Backend.Stop
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
func partitioning(rt *entity.Runtime) (partition.Options, error) {
	o := partition.Options{Parts: rt.Ranks(), Method: rt.Config().Partitioner, Warn: rt.WarnAsOne, Workers: rt.Config().Backend.Threads}
	weights := make([]float64, o.Parts)
	weights[rt.Rank()] = rt.Config().Weight
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

// rowsOf returns the values of a map for the elements that this rank owns.
func rowsOf(m *entity.Map, owned []int64) halo.Numbers {
	values, arity := m.Numbers(), m.Arity()
	if m.From().Shared() {
		return values
	}
	rows := halo.NewNumbers(len(owned)*arity, m.To().Whole())
	for i, e := range owned {
		for c := range arity {
			rows.Set(i*arity+c, values.At(int(e)*arity+c))
		}
	}
	return rows
}

// PartitionBy is Partition by owners that the program gives: dats of ranks, one for each element of a set. The other sets
// follow. It is collective, and does nothing on one process.
func PartitionBy(rt *entity.Runtime, owners []*entity.Data) error {
	err := checkOwnerDats(rt, owners)
	if !rt.Several() {
		return err
	}
	if err == nil {
		err = checkOpen(rt, "PartitionBy")
	}
	if err = rt.Agree(err); err != nil {
		return err
	}
	rt.Mesh().Owners = owners
	return rt.Seal("the mesh has been distributed", entity.ByPartition)
}
