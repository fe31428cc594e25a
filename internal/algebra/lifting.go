package algebra

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
)

// lifting records the effect of Dirichlet conditions on one matrix, and what they took out of it:
// the values in the columns of fixed values and the rows of free ones. Right-hand sides need them
// as long as the matrix stays the same.
type lifting struct {
	number  int // among those of the matrix, the same on all ranks
	by      weak.Pointer[Dirichlet]
	side    side
	owner   Vector // of the conditions
	what    string // the conditions
	applied bool
	scale   []byte // on the diagonal

	zeroed   []int // indices of the values that become zero, in the order of CSR
	diagonal []int // indices of those that become scale

	// Of each value in a fixed column and a free row: its index, its row and its column.
	at, rows, cols []int
	kept           Vector // the values taken out

	conditions *Dirichlet // by, while rows move to other ranks

	last   lifted                      // the last right-hand side before and after
	there  bool                        // only the device has last
	hits   map[*lifting]*entity.Subset // of kept: the values in rows that others fix
	device *liftingLoops               // nil until a device needs it
}

// side says whether conditions fix values of a matrix's rows, of its columns, or of both: those of a
// matrix whose rows and columns are the unknowns. Blocks beside it have one of them.
type side int

const (
	bothSides side = iota
	rowSide
	colSide
)

func (s side) rows() bool { return s != colSide }
func (s side) cols() bool { return s != rowSide }

// forgetLifted records that the matrix is going to be assembled from scratch.
func (m *Matrix) forgetLifted() {
	m.data.Storage().Replaced = false
	for _, l := range m.lifted {
		l.applied = false
	}
}

// liftingOf returns the conditions' effect on the matrix; nil if there is none.
func (m *Matrix) liftingOf(d *Dirichlet, s side) *lifting {
	me := weak.Make(d)
	for _, l := range m.lifted {
		if l.by == me && l.side == s {
			return l
		}
	}
	return nil
}

// liftingBy returns the same as liftingOf, created if necessary. It refuses conditions that overlap with others
// of the matrix.
func (m *Matrix) liftingBy(d *Dirichlet, s side) (*lifting, error) {
	if err := m.settleLifted(); err != nil {
		return nil, err
	}
	l, err := m.existing(d, s)
	if err != nil {
		return nil, err
	}
	for _, other := range m.lifted {
		if other == l || !other.applied || other.side != s {
			continue
		}
		at, err := d.overlap(entity.Host[int32](other.owner.Data))
		if err != nil {
			return nil, err
		}
		if at >= 0 {
			return nil, fmt.Errorf("op2: mat %s: component %d of element %d of %s is fixed by the %s and, already, by the %s\n"+
				"  hint: give them to one NewDirichlet, where the later one counts", m.data.Name(), int(at)%d.dim, at/int64(d.dim), d.set.Name(), d.what, other.what)
		}
	}
	return l, nil
}

// existing returns the same as liftingOf, created if necessary.
func (m *Matrix) existing(d *Dirichlet, s side) (*lifting, error) {
	if l := m.liftingOf(d, s); l != nil {
		return l, nil
	}
	m.pruneLifted()
	l, err := m.newLifting(d, s)
	if err != nil {
		return nil, err
	}
	l.number = m.liftings
	m.liftings++
	m.lifted = append(m.lifted, l)
	return l, nil
}

// pruneLifted drops the records of conditions that are neither applied nor in use any more.
func (m *Matrix) pruneLifted() {
	m.lifted = slices.DeleteFunc(m.lifted, func(l *lifting) bool { return !l.applied && l.by.Value() == nil })
	for _, l := range m.lifted {
		maps.DeleteFunc(l.hits, func(other *lifting, _ *entity.Subset) bool { return !slices.Contains(m.lifted, other) })
	}
}

// overlap returns the first value of the whole mesh that both fix, or -1. Devices never change owners.
func (d *Dirichlet) overlap(owner []int32) (int64, error) {
	first := int64(math.MaxInt64)
	for _, at := range d.places {
		if owner[at] != 0 {
			first = min(first, d.set.NumberHere(at/d.dim)*int64(d.dim)+int64(at%d.dim))
		}
	}
	all, err := entity.Combine(d.set.Runtime(), loop.Min, first)
	if err != nil || all[0] == math.MaxInt64 {
		return -1, err
	}
	return all[0], nil
}

// settleLifted determines which conditions no longer hold for a matrix whose values may have been
// set: those for which some zeroed value is no longer zero.
func (m *Matrix) settleLifted() error {
	if !m.data.Storage().Replaced {
		return nil
	}
	for _, l := range m.lifted {
		if !l.applied {
			continue
		}
		nonzeros, err := l.nonzeros(m)
		if err != nil {
			return err
		}
		all, err := entity.Combine(m.data.Runtime(), loop.Inc, nonzeros)
		if err != nil {
			return err
		}
		l.applied = all[0] == 0
	}
	m.data.Storage().Replaced = false
	return nil
}

// newLifting lists the values of the matrix that the conditions affect.
func (m *Matrix) newLifting(d *Dirichlet, s side) (*lifting, error) {
	l := &lifting{by: weak.Make(d), side: s, owner: d.owner, what: d.what, hits: map[*lifting]*entity.Subset{}}
	isFixed := d.fixed.Mask()
	owner, p, b := entity.Host[int32](d.owner.Data), m.data.Sparsity().Owned(), m.data.Sparsity().Block()
	order := m.data.Sparsity().ColumnOrder()
	for row := range p.Rows {
		for k := p.RowPtr[row]; k < p.RowPtr[row+1]; k++ {
			block := k
			if order != nil {
				block = order[k]
			}
			col := int(p.ColIdx[block])
			rowFixed, colFixed := s.rows() && isFixed[row], s.cols() && isFixed[col]
			if !rowFixed && !colFixed {
				continue
			}
			for k := range b.Size() {
				at, i, j := int(block)*b.Size()+k, row*b.Rows+k%b.Rows, col*b.Cols+k/b.Rows
				rowFixed, colFixed := rowFixed && owner[i] != 0, colFixed && owner[j] != 0
				switch {
				case i == j && rowFixed && colFixed:
					l.diagonal = append(l.diagonal, at)
				case rowFixed:
					l.zeroed = append(l.zeroed, at)
				case colFixed:
					l.zeroed = append(l.zeroed, at)
					l.at, l.rows, l.cols = append(l.at, at), append(l.rows, i), append(l.cols, j)
				}
			}
		}
	}
	couplings, err := m.data.Runtime().NewSetHere(len(l.at), "couplings of "+m.data.Name())
	if err != nil {
		return nil, err
	}
	l.kept, err = newZeros(couplings, 1, m.data.Scalar(), "columns of "+m.data.Name())
	return l, err
}

// constrain takes the columns out of the matrix, adding them to those taken out before, and sets
// rows, columns and diagonal.
func (l *lifting) constrain(m *Matrix, scale []byte) error {
	if !l.applied {
		if err := l.kept.Zero(); err != nil {
			return err
		}
	}
	constrain := l.constrainOnHost
	if m.Editable() {
		constrain = l.constrainOnDevice
	}
	if err := constrain(m, scale); err != nil {
		return err
	}
	l.applied, l.scale = true, slices.Clone(scale)
	for _, other := range m.lifted { // whose rows are no longer free
		if other != l && other.applied && l.side.rows() {
			if err := other.drop(m, l); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *lifting) constrainOnHost(m *Matrix, scale []byte) error {
	if err := m.data.Bring(true); err != nil {
		return err
	}
	if err := l.kept.Bring(true); err != nil {
		return err
	}
	types[m.data.Scalar()].keep(l.kept.Data, m.data, l.at)
	values := m.values()
	for _, at := range l.zeroed {
		clear(values.at(at))
	}
	for _, at := range l.diagonal {
		copy(values.at(at), scale)
	}
	return nil
}

// nonzeros returns how many of the values here that were zeroed are no longer zero.
func (l *lifting) nonzeros(m *Matrix) (n int64, err error) {
	if m.Editable() {
		return l.nonzerosOnDevice(m)
	}
	if err := m.data.Bring(false); err != nil {
		return 0, err
	}
	return types[m.data.Scalar()].nonzeros(m.data, l.zeroed), nil
}

// drop discards what was kept of the rows that other conditions fix.
func (l *lifting) drop(m *Matrix, other *lifting) error {
	hits := l.hits[other]
	if hits == nil {
		var hit []int
		owner := entity.Host[int32](other.owner.Data)
		for k, row := range l.rows {
			if owner[row] != 0 {
				hit = append(hit, k)
			}
		}
		var err error
		if hits, err = entity.NewSubsetHere(l.kept.Set(), hit, "fixed rows"); err != nil {
			return err
		}
		l.hits[other] = hits
	}
	if hits.Size() == 0 {
		return nil
	}
	if l.kept.OnDevice() && m.data.Numberable() {
		return l.dropOnDevice(m, hits)
	}
	if err := l.kept.Bring(true); err != nil {
		return err
	}
	kept := valuesOf(l.kept.Data)
	for _, k := range hits.List() {
		clear(kept.at(int(k)))
	}
	return nil
}

// lift subtracts from b the columns times the fixed values. Unless b is new, it may contain the last
// lifting, which is undone first.
func (l *lifting) lift(m *Matrix, d *Dirichlet, b Vector, isNew, onDevice bool) error {
	if onDevice {
		return l.liftOnDevice(m, d, b, isNew)
	}
	if err := l.lastFromDevice(); err != nil {
		return err
	}
	if err := l.kept.Bring(false); err != nil {
		return err
	}
	if err := d.values.Bring(false); err != nil {
		return err
	}
	if err := b.Bring(true); err != nil {
		return err
	}
	to, t := valuesOf(b.Data), &types[d.scalar]
	if !isNew {
		again, err := liftedAgain(m.data.Runtime(), l.last.differences(t, l.rows, to))
		if err != nil {
			return err
		}
		if again {
			t.put(to.bytes, l.last.before, l.rows)
		}
	}
	if l.last.before == nil {
		l.last = lifted{store.Room(len(l.rows) * to.size), store.Room(len(l.rows) * to.size)}
	}
	t.pick(l.last.before, to.bytes, l.rows)
	t.lift(b.Data, l.kept.Data, d.values.Data, l.rows, l.cols)
	t.pick(l.last.after, to.bytes, l.rows)
	return nil
}

// lifted is a right-hand side in the affected rows, before and after the conditions were applied.
type lifted struct {
	before, after []byte // values, by coupling
}

// differences returns the number of rows in which b is not what the last lifting left, and of those
// that this lifting changed.
func (l *lifted) differences(t *typed, rows []int, b values) [2]int64 {
	n := len(l.after) / b.size
	return [2]int64{t.differences(l.after, b.bytes, n, rows), t.differences(l.after, l.before, n, nil)}
}

// liftedAgain reports, for the numbers of differences here, whether on all ranks b still contains
// the last lifting, which must be undone so that b is not lifted twice. Other right-hand sides are
// left alone.
func liftedAgain(rt *entity.Runtime, differences [2]int64) (bool, error) {
	n, err := entity.Combine(rt, loop.Inc, differences[:]...)
	return err == nil && n[0] == 0 && n[1] > 0, err
}
