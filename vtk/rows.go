package vtk

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
)

// rows brings rows of nodes or cells to this rank's piece. They come from slabs, as files in HDF5 have them.
type rows struct {
	rt      *entity.Runtime
	what    string
	slabs   []int64       // rank r has the rows from slabs[r] up to slabs[r+1]
	fetcher *halo.Fetcher // nil: the piece has those of this rank's slab
	columns columns       // that have them, where a dat is on layers
	numbers []int64       // of the piece's
	count   int

	given  int     // the rows of a slice of the program:
	whole  bool    // those of the whole mesh;
	local  bool    // or those of the share that has been read; otherwise those of the slab
	places []int32 // of the piece's rows in such a share; nil: all
}

// columns brings rows from slabs of whole columns.
type columns struct {
	slabs   []int64
	fetcher *halo.Fetcher
}

// bring says which rows the piece has. It is collective.
func (r *rows) bring(numbers []int64) (err error) {
	r.count, r.numbers = len(numbers), numbers
	if r.fetcher, err = halo.NewFetcher(r.rt.Comm(), halo.Shares(r.slabs), nil, numbers); err != nil {
		return r.rt.Broken(err)
	}
	return nil
}

// slab returns which rows this rank has.
func (r *rows) slab() (from, to int64) { return r.slabs[r.rt.Rank()], r.slabs[r.rt.Rank()+1] }

// all returns the number of rows on all ranks.
func (r *rows) all() int64 { return r.slabs[r.rt.Ranks()] }

// fetch returns the rows of the piece, of so many bytes each, given those of the slab. It is collective.
func (r *rows) fetch(from *halo.Fetcher, slab []byte, size int) ([]byte, error) {
	if from == nil {
		return slab, nil
	}
	result := store.Room(r.count * size)
	if err := from.Fetch(result, slab, size); err != nil {
		return nil, r.rt.Broken(err)
	}
	return result, nil
}

// layered returns this rank's rows of a dat on layers, so many in each column: those of its columns, which have these slabs. It is
// collective.
func (r *rows) layered(slabs []int64, slab []byte, size int) (result []byte, err error) {
	if !slices.Equal(r.columns.slabs, slabs) {
		r.columns.slabs = slabs
		if r.columns.fetcher, err = halo.NewFetcher(r.rt.Comm(), halo.Shares(slabs), nil, r.numbers); err != nil {
			return nil, r.rt.Broken(err)
		}
	}
	return r.fetch(r.columns.fetcher, slab, size)
}

// ofDat returns the rows of a dat. It is collective.
func (r *rows) ofDat(d *entity.Data) ([]byte, error) {
	set, size, layers := d.Set(), d.Dim()*d.Value().Size, d.Layers()
	slabs := slices.Clone(set.Slabs())
	for i := range slabs {
		slabs[i] *= int64(layers)
	}
	extruded := d.On().Extruded()
	var values []byte
	var err error
	switch {
	case set.Runtime() != r.rt:
		err = fmt.Errorf("the dat is of %s, the series of %s", set.Runtime().Besides(r.rt), r.rt.Besides(set.Runtime()))
	case !slices.Equal(slabs, r.slabs) && !(extruded && slabs[r.rt.Ranks()] == r.all()):
		err = fmt.Errorf("it has values for %d, expected them for the %d %s of the mesh, in the shares of the ranks", slabs[len(slabs)-1], r.all(), r.what)
	default:
		values, err = d.Show()
	}
	if err := r.rt.Agree(err); err != nil {
		return nil, err
	}
	slab, err := set.ToSlab(size, values)
	if err != nil {
		return nil, err
	}
	if extruded {
		return r.layered(slabs, slab, size/layers)
	}
	return r.fetch(r.fetcher, slab, size)
}

// ofSlice returns the rows of a slice of the program, and how many values each has. It is collective.
func ofSlice[T any](r *rows, values []T) (here []T, width int, err error) {
	dim := []int64{int64(len(values) / max(r.given, 1))}
	if err := comm.Max(r.rt.Comm(), dim); err != nil {
		return nil, 0, r.rt.Broken(err)
	}
	width = max(int(dim[0]), 1)
	if len(values) != r.given*width {
		err = notForEach(len(values), r.given, r.what)
	}
	if err := r.rt.Agree(err); err != nil {
		return nil, 0, err
	}
	if r.local {
		if r.places == nil {
			return values, width, nil
		}
		return tuples{width, values}.rows(r.places).values.([]T), width, nil
	}
	if from, to := r.slab(); r.whole {
		values = values[int(from)*width : int(to)*width]
	}
	result, err := r.fetch(r.fetcher, store.Bytes(values), width*int(reflect.TypeFor[T]().Size()))
	return store.As[T](result), width, err
}
