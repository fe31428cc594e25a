package algebra

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/sorting"
)

// Checkpoints have what conditions took out of matrices, and the last right-hand sides: an application to one that is unchanged
// since replaces the last one. These are of another life than the matrix, which may be assembled anew.

// The roles of what is kept. That of a lifting is followed by its side.
const (
	columnsRole = "columns" // what was taken out of the matrix; with its values
	lastRole    = "last"    // the last right-hand side of the rows, before and after
	blocksRole  = "blocks"  // the same of a matrix of blocks
)

func (l *lifting) role(what string) string { return fmt.Sprintf("%s %d", what, l.side) }

// Unsaved returns conditions that have been applied, and which a later run would not find.
func (m *Matrix) Unsaved() string {
	for _, l := range m.lifted {
		if l.applied && l.name() == "" {
			return l.what
		}
	}
	return ""
}

// Restored records that the values are those of a checkpoint: rows may have been zeroed.
func (m *Matrix) Restored() {
	m.forgetLifted()
	m.zeroedRows = true
}

// name returns that of the conditions, by which checkpoints find them; "" if they do not.
func (l *lifting) name() string {
	if d := l.by.Value(); d != nil {
		return d.name
	}
	return ""
}

// Kept implements entity.Beside.
func (m *Matrix) Kept(values bool) (list []entity.Kept, err error) {
	size := m.data.Scalar().Size()
	for _, l := range m.lifted {
		if l.name() == "" {
			continue
		}
		order, lengths := l.inDeclaredOrder(m)
		if values && l.applied {
			if err := l.kept.Bring(false); err != nil {
				return nil, err
			}
			list = append(list, entity.Kept{By: l.name(), Role: l.role(columnsRole), Scale: l.scale, OfValues: true, Replaced: m.data.Storage().Replaced, Size: size,
				Lengths: lengths, Units: interleave(order, size, entity.Host[byte](l.kept.Data))})
		}
		if l.after.Data == nil {
			continue
		}
		before, after, err := hostBytes(l.before, l.after)
		if err != nil {
			return nil, err
		}
		list = append(list, entity.Kept{By: l.name(), Role: l.role(lastRole), Size: 2 * size, Lengths: lengths, Units: interleave(order, size, before, after)})
	}
	if r := m.firstOf; r.of != nil && r.of.lifted != nil {
		if d := r.of.lifted.by.Value(); d != nil && d.parts[0].name != "" {
			of := r.of.lifted.before[r.row]
			before, after, err := hostBytes(of, r.of.lifted.after[r.row])
			if err != nil {
				return nil, err
			}
			order, lengths := onePerRow(of.Set().Size())
			row := of.Dim() * size
			list = append(list, entity.Kept{By: d.parts[0].name, Role: blocksRole, Size: 2 * row, Lengths: lengths, Units: interleave(order, row, before, after)})
		}
	}
	return list, nil
}

// hostBytes returns the values of two vectors.
func hostBytes(before, after Vector) (b, a []byte, err error) {
	if b, err = entity.Reading[byte](before.Data); err == nil {
		a, err = entity.Reading[byte](after.Data)
	}
	return b, a, err
}

// Restore implements entity.Beside.
func (m *Matrix) Restore(k entity.Kept, by entity.Conditions, fetch func(lengths []int32, units []byte) error) error {
	d := by.(*Dirichlet)
	if k.Role == blocksRole {
		return m.firstOf.restore(d.in, k, fetch)
	}
	for s := bothSides; s <= colSide; s++ {
		if l := (&lifting{side: s}); k.Role == l.role(columnsRole) || k.Role == l.role(lastRole) {
			return m.restore(d, s, k, fetch)
		}
	}
	return fmt.Errorf("op2: mat %s: %s of %s make no sense", m.data.Name(), k.Role, k.By)
}

// restore takes back what was taken out of the matrix, or else the last right-hand side.
func (m *Matrix) restore(d *Dirichlet, s side, k entity.Kept, fetch func(lengths []int32, units []byte) error) error {
	dim := m.data.Sparsity().Block().Rows
	if s == colSide {
		dim = m.data.Sparsity().Block().Cols
	}
	if err := d.prepare(dim); err != nil {
		return err
	}
	l, err := m.existing(d, s)
	if err != nil {
		return err
	}
	order, lengths := l.inDeclaredOrder(m)
	units := make([]byte, len(order)*k.Size)
	if err := fetch(lengths, units); err != nil {
		return err
	}
	if k.OfValues {
		l.applied, l.scale, m.data.Storage().Replaced = true, k.Scale, k.Replaced
		separate(order, k.Size, units, entity.Overwriting[byte](l.kept.Data))
		l.kept.Storage().Filled()
		return nil
	}
	if err := l.keepLast(); err != nil {
		return err
	}
	separate(order, k.Size/2, units, entity.Overwriting[byte](l.before.Data), entity.Overwriting[byte](l.after.Data))
	return nil
}

// restore takes back the last right-hand side of the row.
func (r rowOfBlocks) restore(d *Boundary, k entity.Kept, fetch func(lengths []int32, units []byte) error) error {
	l := r.of.lifted
	if l == nil || l.by.Value() != d {
		var err error
		if l, err = d.newLifted(r.of); err != nil {
			return err
		}
		r.of.lifted = l
	}
	before, after := l.before[r.row], l.after[r.row]
	order, lengths := onePerRow(before.Set().Size())
	units := make([]byte, len(order)*k.Size)
	if err := fetch(lengths, units); err != nil {
		return err
	}
	separate(order, k.Size/2, units, entity.Overwriting[byte](before.Data), entity.Overwriting[byte](after.Data))
	return nil
}

// inDeclaredOrder returns the couplings row by row, those of a row in the order of the declared numbers of their columns,
// and how many each row has.
func (l *lifting) inDeclaredOrder(m *Matrix) (order []int, lengths []int32) {
	b, cols := m.data.Sparsity().Block(), m.data.Sparsity().Cols()
	rows, at := l.rows.Targets(), l.at.at
	order, lengths = make([]int, len(at)), make([]int32, m.data.Sparsity().Owned().Rows)
	for i, row := range rows {
		order[i] = i
		lengths[row]++
	}
	number := func(i int) int64 { return cols.NumberHere(int(l.cols.Targets()[i])) }
	sorting.By(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(rows[i], rows[j]), cmp.Compare(number(i), number(j)), cmp.Compare(at[i]%b.Size(), at[j]%b.Size()))
	})
	return order, lengths
}

// onePerRow returns the order, and the lengths, of one unit for each row.
func onePerRow(rows int) (order []int, lengths []int32) {
	order, lengths = make([]int, rows), make([]int32, rows)
	for i := range order {
		order[i], lengths[i] = i, 1
	}
	return order, lengths
}

// interleave returns the values of some size of lists, those of all lists for each place in turn.
func interleave(order []int, size int, lists ...[]byte) []byte {
	units := make([]byte, 0, len(order)*size*len(lists))
	for _, i := range order {
		for _, list := range lists {
			units = append(units, list[i*size:(i+1)*size]...)
		}
	}
	return units
}

// separate undoes interleave.
func separate(order []int, size int, units []byte, lists ...[]byte) {
	for _, i := range order {
		for _, list := range lists {
			units = units[copy(list[i*size:(i+1)*size], units):]
		}
	}
}

// Describe, Name, SetName, Diagonal, Constants and Restored implement entity.Conditions.
func (d *Dirichlet) Describe() string    { return d.what }
func (d *Dirichlet) Name() string        { return d.name }
func (d *Dirichlet) SetName(name string) { d.name = name }
func (d *Dirichlet) Diagonal() float64   { return d.diagonal }

func (d *Dirichlet) Constants() [][]byte {
	list := [][]byte{d.scale}
	for _, c := range d.conditions {
		if c.constant() {
			list = append(list, c.values)
		}
	}
	return list
}

func (d *Dirichlet) Restored() { clear(d.seen) }
