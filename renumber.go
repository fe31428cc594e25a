package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/store"
)

// Renumber changes the order of the elements of all sets in memory such that data used together is close
// together. It can make loops many times faster if the mesh is numbered in no particular order, as
// mesh generators often leave it. Meshes that package mesh declares need no call.
//
// It is called after sets and maps have been declared, and before the first sparsity is built or the
// first loop prepared; what is declared later gets the same order. Among
// sets that maps connect, the one with the most data leads. Its elements are ordered by recursive
// coordinate bisection if coordinates, dats with a position per element, are given for it or for a set it is connected with, otherwise by
// the reverse Cuthill-McKee algorithm. The other sets follow: edges are ordered by their cells.
// Unconnected sets keep their order.
//
// Programs do not see that order: all they give and get by number, before and after, counts in declared
// numbers, with a copy of the values between the two orders where they call [Dat.Data].
func (rt *Runtime) Renumber(coordinates ...AnyDat) error {
	return rt.do(func() error { return distribute.Renumber(rt.core(), places(coordinates)) })
}

// places returns the data of coordinates; nil for what is no dat.
func places(coordinates []AnyDat) []*entity.Data {
	dats := make([]*entity.Data, len(coordinates))
	for i, c := range coordinates {
		if c != nil && c.dat().data().Made() {
			dats[i] = c.dat().data()
		}
	}
	return dats
}

// InDeclaredOrder returns a copy of the values of all elements, dim for each, in the order in which
// NewDat was given values. On several ranks it is collective, and returns the values of the whole
// mesh on each of them; see [Dat.Gather].
func (d *Dat[T]) InDeclaredOrder() ([]T, error) {
	values, err := d.dat().get(func(d *entity.Data) ([]byte, error) { return d.Gather(-1) }, false)
	return store.As[T](values), err
}

// Gather is InDeclaredOrder for one rank alone: the others get nil. It is collective, and takes no
// memory on the others.
func (d *Dat[T]) Gather(rank int) ([]T, error) {
	values, err := d.dat().gather(rank)
	return store.As[T](values), err
}

func (d *dat) gather(rank int) ([]byte, error) {
	return d.get(func(data *entity.Data) ([]byte, error) {
		if rank < 0 || rank >= d.rt().Ranks() {
			return nil, fmt.Errorf("op2: %s: Gather: rank %d is not one of the %d ranks", d.describe(), rank, d.rt().Ranks())
		}
		return data.Gather(rank)
	}, false)
}

// SetInDeclaredOrder sets all values to the given ones, dim for each element, in declared order.
func (d *Dat[T]) SetInDeclaredOrder(values []T) error {
	return d.dat().setInDeclaredOrder(len(values), store.Bytes(values))
}

//go:noinline
func (d *dat) setInDeclaredOrder(n int, values []byte) error {
	return d.do(func() error {
		if err := d.data().CheckCount(n); err != nil {
			return err
		}
		current, err := entity.FromDeclaredOrder(d.set(), d.dim()*d.data().Value().Size, values)
		if err != nil {
			return err
		}
		copy(entity.Overwriting[byte](d.data()), current)
		d.data().Storage().Filled()
		return nil
	})
}
