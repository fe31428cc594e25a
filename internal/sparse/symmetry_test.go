package sparse

import (
	"math/rand/v2"
	"testing"
)

// A dense search agrees for random matrices, whose patterns are symmetric or not.
func TestFindAsymmetry(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 300 {
		n, dim := 1+random.IntN(7), 1+random.IntN(3)
		at := make([]float64, n*dim*n*dim)
		size := n * dim
		p := &Pattern{Rows: n, Cols: n, RowPtr: []int32{0}}
		var values []float64
		symmetric := make([]float64, size*size)
		for i := range symmetric {
			symmetric[i] = random.Float64()
		}
		for r := range n {
			for c := range n {
				if r != c && random.IntN(6) == 0 {
					continue
				}
				p.ColIdx = append(p.ColIdx, int32(c))
				for k := range dim * dim {
					i, j := r*dim+k%dim, c*dim+k/dim
					v := symmetric[min(i, j)*size+max(i, j)]
					if i > j && random.IntN(40) == 0 {
						v += 0.1
					}
					at[i*size+j] = v
					values = append(values, v)
				}
			}
			p.RowPtr = append(p.RowPtr, int32(len(p.ColIdx)))
		}
		want := false
		for i := range size {
			for j := range size {
				want = want || at[i*size+j] != at[j*size+i]
			}
		}
		got, ok := FindAsymmetry(p, Blocks{dim, dim}, values)
		if ok != want || ok && (at[got.Row*size+got.Col] != got.Value || at[got.Col*size+got.Row] != got.Mirrored || got.Value == got.Mirrored) {
			t.Fatalf("n %d, dim %d: %v %v, want %v", n, dim, got, ok, want)
		}
		if ok {
			found++
		}
	}
	if found < 50 || found > 250 {
		t.Errorf("%d of 300 are not symmetric", found)
	}
}
