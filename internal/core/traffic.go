package core

import "github.com/go-op2/op2/internal/loop"

// traffic returns the minimal number of bytes that one call of the loop moves.
func (b *binder) traffic() int64 {
	total := int64(0)
	for i, m := range b.maps {
		if !b.desc.Reads(i) {
			continue
		}
		total += 4 * int64(m.arity) * int64(b.over.Size())
	}
	total += b.nonzerosTraffic()
	for i, d := range b.datas {
		if d.kind == loop.Global {
			continue
		}
		times := int64(2)
		if access := b.desc.DataAccess(i); access == loop.Read || access == loop.Write {
			times = 1
		}
		total += times * b.touched(d) * int64(d.dim*max(1, d.ColDim())) * int64(d.scalar.Size())
	}
	return total
}

// touched returns an upper bound on the number of elements of a dat's set, or blocks of a mat, that
// the loop reaches.
func (b *binder) touched(d *Data) int64 {
	n := int64(0)
	for i, a := range b.args {
		if a.data != d {
			continue
		}
		if a.m == nil {
			return int64(b.over.Size())
		}
		per := b.desc.Arity(b.desc.Args[i])
		if a.kind == loop.Mat {
			per *= a.cols.arity
		}
		n += int64(per) * int64(b.over.Size())
	}
	if d.sparsity != nil {
		return min(n, int64(d.sparsity.Blocks()))
	}
	return min(n, int64(d.set.Total()))
}

// nonzerosTraffic returns the bytes moved by reading the tables of nonzeros.
func (b *binder) nonzerosTraffic() int64 {
	total := int64(0)
	for i, e := range b.nonzeros {
		if !b.desc.Nonzeros[i].Search {
			total += 4 * int64(e.table.rows.arity) * int64(e.table.cols.arity) * int64(b.over.Size())
		}
	}
	return total
}
