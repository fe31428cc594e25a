package algebra

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
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

	zeroed   places // the values that become zero
	diagonal places // those that become scale

	// Couplings are the values in a fixed column and a free row.
	at         places
	rows, cols *entity.Map // from the couplings to the elements of their rows and their columns
	components Vector      // of int32: the component in the row, and in the column
	kept       Vector      // the values taken out

	conditions *Dirichlet // by, while rows move to other ranks

	before, after Vector                      // the last right-hand side in the rows of the couplings; undeclared if there is none
	hits          map[*lifting]*entity.Subset // of kept: the values in rows that others fix
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
	own := entity.Host[int32](d.owner.Data)
	for _, e := range d.fixed.List() {
		for i := range d.dim {
			if at := int(e)*d.dim + i; own[at] != 0 && owner[at] != 0 {
				first = min(first, d.set.NumberHere(int(e))*int64(d.dim)+int64(i))
			}
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
		all, err := entity.Combine(m.data.Runtime(), loop.Inc, nonzeros[0])
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
	l := &lifting{by: weak.Make(d), side: s, owner: d.owner, what: d.what, hits: map[*lifting]*entity.Subset{}, zeroed: places{of: m}, diagonal: places{of: m}, at: places{of: m}}
	var rows, cols, components []int32
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
					l.diagonal.add(at)
				case rowFixed:
					l.zeroed.add(at)
				case colFixed:
					l.zeroed.add(at)
					l.at.add(at)
					rows, cols, components = append(rows, int32(row)), append(cols, int32(col)), append(components, int32(i%b.Rows), int32(j%b.Cols))
				}
			}
		}
	}
	couplings, err := m.data.Runtime().NewSetHere(len(l.at.at), "couplings of "+m.data.Name())
	if err != nil {
		return nil, err
	}
	if l.rows, err = entity.NewMapHere(couplings, m.data.Sparsity().Rows(), 1, rows, "rows of "+m.data.Name()); err != nil {
		return nil, err
	}
	if l.cols, err = entity.NewMapHere(couplings, m.data.Sparsity().Cols(), 1, cols, "columns of "+m.data.Name()); err != nil {
		return nil, err
	}
	if l.components, err = NewVector(couplings, 2, components, "components"); err != nil {
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
	there := m.Editable()
	if err := edit(there, "Add", l.kept.Set().All(), &l.at, l.kept.RW(), m.data.Read()); err != nil {
		return err
	}
	if err := fill(there, entity.Range{}, &l.zeroed, m.data, nil); err != nil {
		return err
	}
	if err := fill(there, entity.Range{}, &l.diagonal, m.data, scale); err != nil {
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

// nonzeros returns how many of the values here that were zeroed are no longer zero.
func (l *lifting) nonzeros(m *Matrix) ([2]int64, error) {
	return count(m.Editable(), "Count", entity.Range{}, &l.zeroed, m.data.Read())
}

// drop discards what was kept of the rows that other conditions fix.
func (l *lifting) drop(m *Matrix, other *lifting) error {
	hits := l.hits[other]
	if hits == nil {
		var hit []int
		owner, component := entity.Host[int32](other.owner.Data), entity.Host[int32](l.components.Data)
		for k, row := range l.rows.Targets() {
			if owner[int(row)*other.owner.Dim()+int(component[2*k])] != 0 {
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
	return fill(l.kept.OnDevice() && m.data.Numberable(), hits.All(), nil, l.kept.Data, nil)
}

// lift subtracts from b the columns times the fixed values. Unless b is new, it may contain the last
// lifting, which is undone first.
func (l *lifting) lift(d *Dirichlet, b Vector, isNew, onDevice bool) error {
	if err := l.keepLast(); err != nil {
		return err
	}
	all, row, col, components := l.kept.Set().All(), l.rows.At(0), l.cols.At(0), l.components.Read()
	begin, parts := "Pick", []entity.Arg{l.before.Write(), b.Read(row), components}
	if !isNew {
		differences, err := count(onDevice, "CompareLifted", all, nil, b.Read(row), l.before.Read(), l.after.Read(), components)
		if err != nil {
			return err
		}
		if again, err := liftedAgain(b.Runtime(), differences); err != nil {
			return err
		} else if again {
			begin, parts = "Restore", []entity.Arg{b.RW(row), l.before.Read(), components}
		}
	}
	if err := edit(onDevice, begin, all, nil, parts...); err != nil {
		return err
	}
	if err := edit(onDevice, "Lift", all, nil, b.Inc(row), l.kept.Read(), d.values.Read(col), components); err != nil {
		return err
	}
	b.Storage().Outdate()
	return edit(onDevice, "Pick", all, nil, l.after.Write(), b.Read(row), components)
}

// keepLast makes room for the last right-hand side, unless there is some.
func (l *lifting) keepLast() (err error) {
	if l.after.Data != nil {
		return nil
	}
	if l.before, err = newZeros(l.kept.Set(), 1, l.kept.Scalar(), "before"); err == nil {
		l.after, err = newZeros(l.kept.Set(), 1, l.kept.Scalar(), "after")
	}
	return err
}

// liftedAgain reports, for the numbers of values here in which b is not what the last lifting left, and of those that this
// lifting changed, whether on all ranks b still contains it: it must be undone so that b is not lifted twice. Other
// right-hand sides are left alone.
func liftedAgain(rt *entity.Runtime, differences [2]int64) (bool, error) {
	n, err := entity.Combine(rt, loop.Inc, differences[:]...)
	return err == nil && n[0] == 0 && n[1] > 0, err
}

// Clear sets all values to zero, for a new assembly.
func (m *Matrix) Clear() error {
	m.forgetLifted()
	m.zeroedRows = false
	return m.data.Zero()
}
