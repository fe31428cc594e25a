package core

import "github.com/go-op2/op2/internal/loop"

// traffic returns the minimal number of bytes that one call of the loop moves.
func (b *Binding) traffic() int64 {
	total := int64(0)
	for i, m := range b.Maps {
		if !b.Loop.Reads(i) {
			continue
		}
		total += 4 * int64(m.arity) * int64(b.Over.Size())
	}
	total += b.nonzerosTraffic()
	for i, d := range b.Data {
		if d.kind == loop.Global {
			continue
		}
		times := int64(2)
		if access := b.Loop.DataAccess(i); access == loop.Read || access == loop.Write {
			times = 1
		}
		total += times * b.touched(d) * int64(d.dim*max(1, d.ColDim())) * int64(d.scalar.Size())
	}
	return total
}

// touched returns an upper bound on the number of elements of a dat's set, or blocks of a mat, that
// the loop reaches.
func (b *Binding) touched(d *Data) int64 {
	n := int64(0)
	for i, a := range b.args {
		if a.data != d {
			continue
		}
		if a.m == nil {
			return int64(b.Over.Size())
		}
		per := b.Loop.Arity(b.Loop.Args[i])
		if a.kind == loop.Mat {
			per *= a.cols.arity
		}
		n += int64(per) * int64(b.Over.Size())
	}
	if d.sparsity != nil {
		return min(n, int64(d.sparsity.Blocks()))
	}
	return min(n, int64(d.set.Total()))
}

// nonzerosTraffic returns the bytes moved by reading the tables of nonzeros.
func (b *Binding) nonzerosTraffic() int64 {
	total := int64(0)
	for i, e := range b.Nonzeros {
		if !b.Loop.Nonzeros[i].Search {
			total += 4 * int64(e.table.rows.arity) * int64(e.table.cols.arity) * int64(b.Over.Size())
		}
	}
	return total
}
