package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// NewDat returns a dat with a copy of the values of a plain type, dim for each element of the set;
// nil stands for zeros. The halo comes last.
func NewDat[T any](set *Set, dim int, values []T, name string) (*Data, error) {
	return newDat(set, dim, loop.TypeFor[T](), store.Bytes(values), name)
}

// NewZeros returns a dat of zeros.
func NewZeros(set *Set, dim int, s loop.Scalar, name string) (*Data, error) {
	return newDat(set, dim, s.Type(), nil, name)
}

func newDat(on *Set, dim int, of loop.Type, values []byte, name string) (*Data, error) {
	set, layers := on.Base()
	d := &Data{kind: loop.Dat, rt: set.rt, set: set, name: name}
	if on != set {
		d.column = on
	}
	d.site.Capture()
	if err := d.hold(dim*layers, of); err != nil {
		return nil, err
	}
	if dim < 1 {
		return nil, &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("a dim of at least 1 is needed, %d was given", dim)}
	}
	if most := store.MostBytes / d.values.size() / layers / max(1, set.Total()); dim > most {
		return nil, &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("a dim of at most %d is possible, %d was given", most, dim)}
	}
	d.storage = set.rt.newStorage(device.Shape{Elements: set.Total(), Dim: d.dim, Size: d.scalar.Size()})
	d.storage.Pad(d.values.layout)
	if set.rt.config.Static && values == nil {
		addWeakly(&set.rt.listed.datas, d)
		return d, nil
	}
	if values != nil {
		err := d.CheckCount(len(values) / d.values.size())
		if err == nil {
			values, err = FromDeclaredOrder(set, d.rowSize(), values)
		}
		if err != nil {
			return nil, err
		}
	}
	if values != nil || d.rt.device == nil && !set.pending {
		d.storage.Memory()
		copy(d.Bytes(), values)
		d.ClearAbsent()
		d.ClearPadding()
	}
	d.share()
	d.watch()
	set.mesh().addDat(d)
	addWeakly(&set.rt.listed.datas, d)
	return d, nil
}

// NewGlobal returns a global with a copy of the values of a plain type.
func NewGlobal[T any](rt *Runtime, values []T, name string) (*Data, error) {
	return newGlobal(rt, len(values), loop.TypeFor[T](), store.Bytes(values), name)
}

// NewScalars returns a global of n zeros.
func NewScalars(rt *Runtime, s loop.Scalar, n int, name string) (*Data, error) {
	return newGlobal(rt, n, s.Type(), nil, name)
}

func newGlobal(rt *Runtime, n int, of loop.Type, values []byte, name string) (*Data, error) {
	g := &Data{kind: loop.Global, rt: rt, name: name}
	g.site.Capture()
	if err := g.hold(n, of); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, &problem.ShapeError{What: "global " + name, Msg: "at least one value is needed"}
	}
	g.storage = store.NewStorage(device.Shape{Elements: 1, Dim: g.dim, Size: g.scalar.Size()})
	g.storage.Pad(g.values.layout)
	g.storage.Memory()
	copy(g.Bytes(), values)
	g.ClearPadding()
	g.share()
	g.watch()
	addWeakly(&rt.listed.datas, g)
	return g, nil
}

// maxValues limits the number of values of a matrix: more than any machine has memory for.
const maxValues = 1 << 40

// NewMat returns a matrix of zeros: [blocks][colDim][rowDim].
func NewMat(s *Sparsity, scalar loop.Scalar, name string) (*Data, error) {
	if n := int64(s.Blocks()) * int64(s.blocks.Size()); n > maxValues {
		return nil, &problem.ShapeError{What: "mat " + name, Msg: fmt.Sprintf("%d blocks of %d × %d make %d values, at most %d are possible",
			s.Blocks(), s.blocks.Rows, s.blocks.Cols, n, int64(maxValues))}
	}
	m := &Data{kind: loop.Mat, rt: s.rt, set: s.rows, dim: s.blocks.Rows, scalar: scalar, name: name, sparsity: s}
	m.site.Capture()
	m.storage = store.NewStorage(device.Shape{Elements: s.Blocks(), Dim: s.blocks.Size(), Size: m.scalar.Size()})
	if m.rt.device == nil {
		m.storage.Memory()
	}
	m.share()
	m.watch()
	addWeakly(&s.rt.listed.datas, m)
	return m, nil
}

// newStorage returns a storage for a dat. If loops may need slots, it has room for them.
func (rt *Runtime) newStorage(shape device.Shape) *store.Storage {
	s := store.NewStorage(shape)
	if rt.config.Backend.SameBits && rt.HostThreads() > 1 {
		s.LeaveSlots()
	}
	return s
}

// NewContributions returns a dat with what the elements of a set contribute to a global, of which a program sees nothing.
// Unless it is kept, what elements add replaces what was there.
func NewContributions(g *Data, set *Set, kept bool) *Data {
	d := &Data{kind: loop.Dat, rt: set.rt, set: set, dim: g.dim, scalar: g.scalar, values: g.values, name: g.name, unwatched: true, fresh: !kept, hidden: true}
	d.storage = store.NewStorage(device.Shape{Elements: set.Total(), Dim: g.dim, Size: g.scalar.Size()})
	if !set.rt.config.Static {
		d.storage.Memory()
	}
	return d
}

// StandIn returns a global like g that has values of its own.
func (g *Data) StandIn() *Data {
	own := *g
	own.id, own.numbers, own.handle, own.updates = nil, nil, nil, updates{}
	own.storage = store.NewStorage(g.storage.Shape())
	own.storage.Pad(g.values.layout)
	own.storage.Memory()
	own.share()
	return &own
}
