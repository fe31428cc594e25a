package bind

import (
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// Traffic returns the minimal number of bytes that one call of the loop moves.
func (b *Binding) Traffic() int64 {
	total := int64(0)
	for i, m := range b.Maps {
		if !b.Loop.Reads(i) {
			continue
		}
		total += 4 * int64(m.Arity()) * int64(b.Over.Size())
	}
	total += b.nonzerosTraffic()
	for i, d := range b.Data {
		if d.Kind() == loop.Global {
			continue
		}
		times := int64(2)
		if access := b.Loop.DataAccess(i); access == loop.Read || access == loop.Write {
			times = 1
		}
		if layers := b.Over.Layers; b.Loop.Data[i].Column > 0 && !layers.All() {
			total += times * b.touched(d) * int64(d.Width()/d.Layers()*layers.Count()) * int64(d.Scalar().Size())
			continue
		}
		total += times * b.touched(d) * int64(d.Width()*max(1, d.ColDim())) * int64(d.Scalar().Size())
	}
	return total
}

// Operations returns the number of floating-point operations of one call of the loop; 0 if it is not known.
func (b *Binding) Operations() int64 {
	return int64(facts.Operations(b.Spec.Kernel)) * int64(b.Over.Size()) * int64(b.Loop.Layers.Count())
}

// touched returns an upper bound on the number of elements of a dat's set, or blocks of a mat, that
// the loop reaches.
func (b *Binding) touched(d *entity.Data) int64 {
	n := int64(0)
	for i, a := range b.Args {
		if a.Data != d {
			continue
		}
		if a.Map == nil {
			return int64(b.Over.Size())
		}
		per := b.Loop.PerLevel(b.Loop.Args[i])
		if a.Kind == loop.Mat {
			per *= a.Cols.Arity() * b.Loop.Layers.Count()
		}
		n += int64(per) * int64(b.Over.Size())
	}
	if d.Sparsity() != nil {
		return min(n, int64(d.Sparsity().Blocks()))
	}
	return min(n, int64(d.Set().Total()))
}

// nonzerosTraffic returns the bytes moved by reading the tables of nonzeros.
func (b *Binding) nonzerosTraffic() int64 {
	total := int64(0)
	for i, e := range b.Nonzeros {
		if !b.Loop.Nonzeros[i].Search {
			total += 4 * int64(e.table.Rows.Arity()) * int64(e.table.Cols.Arity()) * int64(b.Over.Size()) * int64(b.Loop.Layers.Count())
		}
	}
	return total
}
