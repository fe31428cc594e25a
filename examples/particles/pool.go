package main

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2"
)

// pool is a set of slots with particles in some of them. A map leads from each slot to the cell that its particle is
// in, and a subset has the slots in use: both are made anew when particles have changed cells, were born or have left.
//
// Each rank has equally many slots, and its first ones hold the particles in the cells that it owns, sorted by cell, so
// that neighbors in memory reach the same cells. All ranks see all particles between loops, and sort them alike.
type pool struct {
	p      *op2.Dat[particle]
	in     *op2.Map    // slot to cell
	living *op2.Subset // the slots in use

	room  int        // slots of each rank
	owner []int32    // the rank of each cell, ascending
	slots []particle // what was last written; a Cell of -1: free
	left  int        // how many particles have left
}

// newPool declares slots, as many for each rank, and divides them and the cells among the ranks.
func newPool(rt *op2.Runtime, cells *op2.Set, room int) (*pool, error) {
	pl := &pool{room: room}
	for c := range cells.Size() {
		pl.owner = append(pl.owner, int32(c*rt.Ranks()/cells.Size()))
	}
	var owner []int32
	for rank := range rt.Ranks() {
		owner = append(owner, slices.Repeat([]int32{int32(rank)}, room)...)
	}
	pl.slots = slices.Repeat([]particle{{Cell: -1}}, len(owner))
	set := rt.NewSet(len(owner), "slots")
	pl.in = op2.NewMap(set, cells, 1, pl.cells(), "slot2cell")
	pl.p = op2.NewDat(set, 1, pl.slots, "p")
	return pl, rt.PartitionBy(op2.NewDat(cells, 1, pl.owner, "owner of cell"), op2.NewDat(set, 1, owner, "owner of slot"))
}

// cells returns the cell of each slot: one that the slot's rank owns where it is free.
func (pl *pool) cells() []int32 {
	cells := make([]int32, len(pl.slots))
	for slot, p := range pl.slots {
		cells[slot] = p.Cell
		if p.Cell < 0 {
			first, _ := slices.BinarySearch(pl.owner, int32(slot/pl.room))
			cells[slot] = int32(first)
		}
	}
	return cells
}

// update drops the particles that have left, adds those that are born, and gives each a slot of the rank that owns its
// cell. All ranks call it, with the same births.
func (pl *pool) update(births []particle) error {
	living, err := pl.particles() // of all ranks
	if err != nil {
		return err
	}
	pl.left += pl.living.Size() - len(living)
	living = append(living, births...)
	next := pl.starts(living)
	for slot := range pl.slots {
		pl.slots[slot] = particle{Cell: -1}
	}
	for _, p := range living {
		slot := next[p.Cell]
		if rank := pl.owner[p.Cell]; int(slot) >= (int(rank)+1)*pl.room {
			return fmt.Errorf("more than %d particles are in the cells of rank %d: it needs more room", pl.room, rank)
		}
		pl.slots[slot] = p
		next[p.Cell]++
	}
	return pl.write()
}

// starts returns for each cell the first slot of the particles in it.
func (pl *pool) starts(living []particle) []int32 {
	number := make([]int32, len(pl.owner))
	for _, p := range living {
		number[p.Cell]++
	}
	slot, rank := int32(0), int32(-1)
	for c, n := range number {
		if to := pl.owner[c]; to != rank {
			slot, rank = to*int32(pl.room), to
		}
		number[c] = slot
		slot += n
	}
	return number
}

// write gives the dat, the map and the subset what is in the slots.
func (pl *pool) write() error {
	values, err := pl.p.DataWO() // of this rank
	if err != nil {
		return err
	}
	for row, slot := range pl.p.Set().DeclaredNumbers() {
		values[row] = pl.slots[slot]
	}
	if err := pl.in.SetValues(pl.cells()); err != nil {
		return err
	}
	var used []int32
	for slot, p := range pl.slots {
		if p.Cell >= 0 {
			used = append(used, int32(slot))
		}
	}
	pl.living = op2.NewSubset(pl.p.Set(), used, "living")
	return pl.living.Err()
}

// particles returns those that are living.
func (pl *pool) particles() ([]particle, error) {
	now, err := pl.p.InDeclaredOrder()
	return slices.DeleteFunc(now, func(p particle) bool { return p.Cell < 0 }), err
}
