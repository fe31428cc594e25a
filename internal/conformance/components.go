package conformance

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// conformComponents assembles through maps that leave out components of blocks.
func conformComponents(t *testing.T, open optest.Opener) {
	d := newDirichletTest(t, open(t), 2)
	subset := func(name string, e ...int) *op2.Subset { return op2.NewSubset(d.nodes, e, name) }
	walls := d.edge2node.Masked(subset("left", 1, 5, 8), "left free", 0).Masked(subset("below", 5, 9), "both free", 1)
	free := walls.Masked(subset("clamped", 20, 21), "free")
	left := map[int]bool{2: true, 10: true, 16: true, 11: true, 19: true}
	clamped := map[int]bool{40: true, 41: true, 42: true, 43: true}
	add, write := op2.Kernels(dirichletSource).Func(pair2), op2.Kernels(dirichletSource).Func(written2)
	nodes := d.edge2node.Values()
	for _, test := range []struct {
		name       string
		rows, cols op2.MatMap
		isLeft     func(row, col int) bool
	}{
		{"both", free, free, func(r, c int) bool { return left[r] || left[c] || clamped[r] || clamped[c] }},
		{"rows", walls, d.edge2node, func(r, c int) bool { return left[r] }},
		{"columns", d.edge2node, free, func(r, c int) bool { return left[c] || clamped[c] }},
	} {
		for _, some := range []op2.IterationSet{d.edges, op2.NewSubset(d.edges, []int{3, 4, 7, 30, 31, 32, 59}, "some")} {
			optest.OK(t, d.matrix.Zero())
			clear(d.want.a.Values)
			for _, writes := range []bool{false, true, false} {
				if writes {
					optest.Run(t, write, some, d.matrix.Write(test.rows, test.cols), d.v.Read())
				} else {
					optest.Run(t, add, some, d.matrix.Inc(test.rows, test.cols), d.v.Read())
				}
				for e, v := range optest.Must(d.v.InDeclaredOrder()) {
					if s, ok := some.(*op2.Subset); ok && !s.Contains(e) {
						continue
					}
					for i := range 4 {
						for j := range 4 {
							r, c := int(nodes[2*e+i/2])*2+i%2, int(nodes[2*e+j/2])*2+j%2
							if test.isLeft(r, c) {
								continue
							}
							at := &d.want.a.Values[r*d.want.a.Cols+c]
							if writes {
								*at = 0
							}
							*at += v * float64(1+i+j)
						}
					}
				}
				got := optest.Must(d.matrix.Values())
				if !slices.Equal(got, d.want.a.Values) {
					t.Fatalf("%s over %s, written %v: another matrix", test.name, some.Name(), writes)
				}
			}
		}
	}
}
