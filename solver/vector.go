package solver

import (
	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
)

// dataOf returns the runtime's object for a dat.
func dataOf(d *op2.Dat[float64]) *entity.Data { return (*entity.Data)(d) }

// partsOfAll returns the parts of each vector; nil for none.
func partsOfAll(vectors []op2.Vector[float64]) [][]algebra.Vector {
	var list [][]algebra.Vector
	for _, v := range vectors {
		list = append(list, algebra.PartsOf(v))
	}
	return list
}

// vectorOf returns the dat of one part, or the mixed dat of several.
func vectorOf(parts []algebra.Vector) op2.Vector[float64] {
	if len(parts) == 1 {
		return (*op2.Dat[float64])(parts[0].Columns())
	}
	return mixedOf(parts)
}

// mixedOf returns the mixed dat of parts, which are different dats of one runtime.
func mixedOf(parts []algebra.Vector) *op2.MixedDat[float64] {
	list := make([]*entity.Data, len(parts))
	for i, p := range parts {
		list[i] = p.Columns()
	}
	d, _ := entity.NewMixedData(list, "solver") // cannot fail
	return (*op2.MixedDat[float64])(d)
}
