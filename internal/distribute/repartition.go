package distribute

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/store"
)

// sharesMethod returns how sets that were declared in shares are divided: by bisect or curve, by scotch, which is PT-Scotch, or
// not at all: "" if ranks keep their shares. Coordinates are those of such sets. It warns where that is not
// what was requested.
func sharesMethod(rt *entity.Runtime, coordinates []*entity.Data, options partition.Options) (string, error) {
	if !slices.ContainsFunc(rt.Mesh().Sets, (*entity.Set).Shared) {
		return "", nil
	}
	placed := len(coordinates) > 0
	switch requested := options.Method; requested {
	case "bisect", "curve":
		if !placed {
			return "", fmt.Errorf("op2: Partition: method %s: the coordinates of no set that is declared in shares are known\n  hint: pass them to Partition", requested)
		}
		return requested, nil
	case "contiguous":
		return "", nil
	case "metis", "scotch", "graph":
		why := ""
		if set, _ := graphOfShares(rt.Mesh()); requested == "scotch" && set >= 0 && options.Weights == nil {
			var err error
			if _, why, err = ptscotch(rt); err != nil || why == "" {
				return "scotch", err
			}
			why = ", which needs PT-Scotch (" + why + ")"
		}
		instead := "without coordinates for Partition, ranks keep their shares"
		if placed {
			instead = "bisect is used instead"
		}
		rt.WarnAsOne(fmt.Sprintf("method %s divides sets that are declared whole; for shares, there are bisect, curve and scotch%s: %s", requested, why, instead))
	}
	if placed {
		return "bisect", nil
	}
	return "", nil
}

// manyElements is the number of elements of a rank from which a halo that is larger is worth a warning.
const manyElements = 1000

// warnOfHalos warns if a rank that has kept its shares has half as many elements of others as of its own.
// It is collective.
func warnOfHalos(rt *entity.Runtime, local *halo.Local) error {
	owned, total := 0, 0
	for i := range rt.Mesh().InShares() {
		owned, total = owned+local.Sets[i].Owned, total+local.Sets[i].Total()
	}
	text := fmt.Sprintf("rank %d has copies of %d elements of other ranks, and %d of its own: the shares of ranks are far from compact\n"+
		"  hint: Partition with coordinates moves elements to other ranks", rt.Rank(), total-owned, owned)
	text, rank, err := rt.Tell(owned >= manyElements && 2*(total-owned) >= owned, text)
	if rank >= 0 {
		rt.WarnAsOne(text)
	}
	return err
}

// repartition moves elements of sets that were declared in shares to other owners, which are given, or found by the
// coordinates, for one or more of these sets; the others follow along maps. Each rank numbers what it
// owns then as Renumber would. Options have the method of sharesMethod. It is collective.
func repartition(rt *entity.Runtime, mesh *halo.Mesh, coordinates []*entity.Data, given map[*entity.Set][]int32, options partition.Options) error {
	m, c := rt.Mesh(), rt.Comm()
	owners := make([][]int32, len(m.Sets))
	if options.Method == "scotch" {
		ranks, _, err := ptscotch(rt)
		if err != nil {
			return err
		}
		set, by := graphOfShares(m)
		if owners[set], err = partition.ShareGraph(c, ranks, &mesh.Maps[by], &mesh.Sets[set], nil); err != nil {
			return rt.Broken(err)
		}
		coordinates = nil
	}
	moves := options.Method != ""
	for i, s := range m.InShares() {
		if o := given[s]; o != nil {
			owners[i], moves = o, true
		}
	}
	if !moves {
		return nil
	}
	for _, d := range coordinates {
		if err := d.Bring(false); err != nil {
			return err
		}
		var err error
		if owners[slices.Index(m.Sets, d.Set())], err = partition.Shares(c, d.AsFloat64s(), d.Width(), options); err != nil {
			return rt.Broken(err)
		}
	}
	for i, s := range m.Sets {
		if !s.Shared() {
			owners[i] = slices.Repeat([]int32{int32(c.Rank())}, len(mesh.Sets[i].Owned))
		}
	}
	if err := partition.Follow(c, mesh, owners, options); err != nil {
		return rt.Broken(err)
	}
	weights, shared := make([]int, len(m.Sets)), []int(nil)
	for i, s := range m.Sets {
		if weights[i] = m.Weights[s]; s.Shared() {
			shared = append(shared, i)
		}
	}
	return resettle(rt, mesh, shared, owners, weights)
}

// resettle moves elements of some sets to their new owners, with the rows of maps from them. Each rank numbers what it owns
// then as Renumber would, by the bytes of data per element of each set. It is collective.
func resettle(rt *entity.Runtime, mesh *halo.Mesh, sets []int, owners [][]int32, weights []int) error {
	c := rt.Comm()
	for _, i := range sets {
		set, before := &mesh.Sets[i], mesh.Sets[i].Owned
		err := move(c, set, owners[i])
		if err == nil {
			err = bringRows(c, mesh, i, before)
		}
		if err != nil {
			return rt.Broken(err)
		}
		owners[i] = nil
	}
	renumberOwned(rt, mesh, weights, sets)
	for _, i := range sets {
		set := &mesh.Sets[i]
		var err error
		if set.Home, err = halo.NewDirectory(c, set.Name, set.Size, set.Owned); err != nil {
			return rt.Broken(err)
		}
	}
	return nil
}

// bringRows brings the rows of maps from a set to the new owners of its elements, given those that this rank has owned.
func bringRows(c comm.Comm, mesh *halo.Mesh, set int, before []int64) error {
	from, err := halo.NewFetcher(c, mesh.Sets[set].Home, before, mesh.Sets[set].Owned)
	if err != nil {
		return err
	}
	for i := range mesh.Maps {
		f := &mesh.Maps[i]
		if f.From != set {
			continue
		}
		rows := halo.NewNumbers(len(mesh.Sets[set].Owned)*f.Arity, mesh.Sets[f.To].Size)
		given, _ := f.Values.Bytes()
		to, each := rows.Bytes()
		if err := from.Fetch(to, given, each*f.Arity); err != nil {
			return err
		}
		f.Values = rows
	}
	return nil
}

// move makes each rank the owner of the elements that others have for it, and has them ascending.
func move(c comm.Comm, to *halo.Set, owners []int32) error {
	out := comm.NewOutbox[int64](len(owners), func(i int) int { return int(owners[i]) })
	for i, rank := range owners {
		out.Add(int(rank), to.Owned[i])
	}
	to.Owned = nil
	owned := out[c.Rank()]
	delete(out, c.Rank())
	came, err := out.Send(c)
	if err != nil {
		return err
	}
	for _, m := range came {
		owned = append(owned, m.Values...)
	}
	sorting.Int64s(owned)
	to.Owned = owned
	return nil
}

// renumberOwned orders what this rank owns of some sets such that data used together is close together in memory, by the bytes
// of data per element of each set.
func renumberOwned(rt *entity.Runtime, mesh *halo.Mesh, weights []int, sets []int) {
	local := &order.Mesh{Workers: rt.Config().Backend.Threads, Stopped: rt.Config().Backend.Stop.Raised}
	for _, f := range mesh.Maps {
		local.Maps = append(local.Maps, order.Map{From: f.From, To: f.To, Arity: f.Arity, Values: make([]int32, f.Values.Len())})
	}
	for i, s := range mesh.Sets {
		local.Sets = append(local.Sets, order.Set{Size: len(s.Owned), Weight: weights[i]})
		place := halo.Places(s.Owned)
		for j := range mesh.Maps {
			if f := &mesh.Maps[j]; f.To == i {
				for at := range local.Maps[j].Values {
					local.Maps[j].Values[at] = place(f.Values.At(at)) // -1 for what is not owned here
				}
			}
		}
	}
	orders := local.Orders()
	for _, i := range sets {
		o := orders[i]
		if o == nil {
			continue
		}
		entity.ReorderRows(store.Bytes(mesh.Sets[i].Owned), 8, o)
		for j := range mesh.Maps {
			if f := &mesh.Maps[j]; f.From == i {
				values, each := f.Values.Bytes()
				entity.ReorderRows(values, each*f.Arity, o)
			}
		}
	}
}
