package op2_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// square returns a matrix of small integers on a random mesh, and its full form.
func square(t *testing.T, rt *op2.Runtime, dim int) (*op2.Mat[float64], *optest.Dense, *op2.Set) {
	const n, m = 60, 30
	mesh := optest.NewTopology(n, m)
	elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, m, "nodes")
	elem2node := optest.NewMap(t, elements, nodes, 2, mesh.Anywhere(2), "elem2node")
	a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, dim, dim, "sp"), "a")
	values := optest.Must(a.CSR()).Values
	for i := range values {
		values[i] = float64(mesh.Random.IntN(19) - 9)
	}
	return a, &optest.Dense{Cols: a.Cols(), Values: optest.Must(a.Values())}, nodes
}

func TestMatRows(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	for _, dim := range []int{1, 3} {
		a, want, nodes := square(t, rt, dim)
		before := slices.Clone(optest.Must(a.CSR()).ColIdx)
		wall := op2.NewSubset(nodes, []int{3, 11, 29}, "wall")
		zero := func(e, i int, diagonal float64) {
			r := e*dim + i
			clear(want.Values[r*want.Cols : (r+1)*want.Cols])
			want.Values[r*want.Cols+r] = diagonal
		}
		if err := a.ZeroRows(wall, 7); err != nil {
			t.Fatal(err)
		}
		for _, e := range []int{3, 11, 29} {
			for i := range dim {
				zero(e, i, 7)
			}
		}
		optest.ExpectMat(t, a, want)
		corner := op2.NewSubset(nodes, []int{5, 6}, "corner")
		if err := a.ZeroRows(corner, -2, dim-1); err != nil {
			t.Fatal(err)
		}
		zero(5, dim-1, -2)
		zero(6, dim-1, -2)
		optest.ExpectMat(t, a, want)

		d := optest.NewDat[float64](t, nodes, dim, nil, "d")
		if err := a.Diagonal(d); err != nil {
			t.Fatal(err)
		}
		for i, v := range optest.Must(d.Data()) {
			if v != want.Values[i*want.Cols+i] {
				t.Errorf("value %d on the diagonal is %v, want %v", i, v, want.Values[i*want.Cols+i])
			}
			optest.Must(d.Data())[i] = float64(i)
		}
		if err := a.AddToDiagonal(d); err != nil {
			t.Fatal(err)
		}
		for i := range want.Cols {
			want.Values[i*want.Cols+i] += float64(i)
		}
		optest.ExpectMat(t, a, want)
		if err := a.SetDiagonal(d); err != nil {
			t.Fatal(err)
		}
		for i := range want.Cols {
			want.Values[i*want.Cols+i] = float64(i)
		}
		optest.ExpectMat(t, a, want)
		for i := range want.Cols {
			for j := range want.Cols {
				if got := optest.Must(a.At(i, j)); got != want.Values[i*want.Cols+j] {
					t.Errorf("At(%d, %d) is %v, want %v", i, j, got, want.Values[i*want.Cols+j])
				}
			}
		}
		if err := a.ZeroRows(nodes, 0); err != nil {
			t.Fatal(err)
		}
		clear(want.Values)
		optest.ExpectMat(t, a, want)
		if !slices.Equal(before, optest.Must(a.CSR()).ColIdx) {
			t.Error("the pattern has changed")
		}
	}
}

func TestMatProducts(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	const n = 50
	mesh := optest.NewTopology(n, 20)
	elements, nodes, faces := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, 20, "nodes"), optest.NewSet(t, rt, 30, "faces")
	rows, cols := optest.NewMap(t, elements, nodes, 2, mesh.Anywhere(2), "rows"), optest.NewMap(t, elements, faces, 3, optest.NewTopology(n, 30).Anywhere(3), "cols")
	for _, dim := range [][2]int{{1, 1}, {2, 3}} {
		a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: rows, Cols: cols}}, dim[0], dim[1], "sp"), "a")
		for i := range optest.Must(a.CSR()).Values {
			optest.Must(a.CSR()).Values[i] = float64(mesh.Random.IntN(19) - 9)
		}
		full := optest.Must(a.Values())
		x, y := optest.NewDat(t, faces, dim[1], optest.Some[float64](mesh.Random, 30*dim[1]), "x"), optest.NewDat[float64](t, nodes, dim[0], nil, "y")
		z := optest.NewDat[float64](t, faces, dim[1], nil, "z")
		if err := a.Mul(y, x); err != nil {
			t.Fatal(err)
		}
		if err := a.MulTranspose(z, y); err != nil {
			t.Fatal(err)
		}
		wantY, wantZ := make([]float64, a.Rows()), make([]float64, a.Cols())
		for i := range wantY {
			for j, v := range optest.Must(x.Data()) {
				wantY[i] += full[i*a.Cols()+j] * v
			}
			for j := range wantZ {
				wantZ[j] += full[i*a.Cols()+j] * wantY[i]
			}
		}
		optest.Expect(t, y, wantY)
		optest.Expect(t, z, wantZ)

		square := 0.0
		for _, v := range full {
			square += v * v
		}
		optest.Near(t, optest.Must(a.Norm()), math.Sqrt(square), 1e-14)
	}
}

// Single values can be set within the pattern.
func TestMatValues(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	for _, dim := range []int{1, 3} {
		a, want, _ := square(t, rt, dim)
		csr := optest.Must(a.CSR())
		for r := range csr.Rows {
			for _, c := range csr.ColIdx[csr.RowPtr[r]:csr.RowPtr[r+1]] {
				for k := range dim * dim {
					i, j := r*dim+k%dim, int(c)*dim+k/dim
					optest.OK(t, a.Set(i, j, float64(i-j)))
					optest.OK(t, a.Add(i, j, float64(i)))
					want.Values[i*want.Cols+j] = float64(2*i - j)
				}
			}
		}
		optest.ExpectMat(t, a, want)
	}
}

func TestMatNorms(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	edges, nodes := optest.NewSet(t, rt, 1, "edges"), optest.NewSet(t, rt, 2, "nodes")
	edge2node := optest.NewMap(t, edges, nodes, 2, []int32{0, 1}, "edge2node")
	a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: edge2node, Cols: edge2node}}, 1, 1, "sp"), "a")
	copy(optest.Must(a.CSR()).Values, []float64{1, -2, 2, -4})
	if norm := optest.Must(a.Norm()); norm != 5 {
		t.Errorf("the norm is %v, want 5", norm)
	}
	copy(optest.Must(a.CSR()).Values, []float64{1, -2, 0, -4})
	var text strings.Builder
	if err := a.WriteMatrixMarket(&text); err != nil {
		t.Fatal(err)
	}
	const want = "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 -2\n2 1 0\n2 2 -4\n"
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", text.String(), want)
	}
	if err := a.Zero(); err != nil || optest.Must(a.Norm()) != 0 {
		t.Errorf("zero is no zero: %v", err)
	}
}

// The order of pairs, and duplicates, make no difference.
func TestSparsity(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	mesh := optest.NewTopology(100, 40)
	elements, edges, nodes := optest.NewSet(t, rt, 100, "elements"), optest.NewSet(t, rt, 100, "edges"), optest.NewSet(t, rt, 40, "nodes")
	elem2node, edge2node := optest.NewMap(t, elements, nodes, 3, mesh.Anywhere(3), "elem2node"), optest.NewMap(t, edges, nodes, 2, mesh.Anywhere(2), "edge2node")
	p, q := op2.MapPair{Rows: elem2node, Cols: elem2node}, op2.MapPair{Rows: edge2node, Cols: edge2node}
	one, other := op2.NewSparsity([]op2.MapPair{p, q}, 2, 2, "one"), op2.NewSparsity([]op2.MapPair{q, p, q}, 2, 2, "other")
	if !slices.Equal(one.RowPtr(), other.RowPtr()) || !slices.Equal(one.ColIdx(), other.ColIdx()) {
		t.Error("the order of the pairs makes a difference")
	}
	if one.RowDim() != 2 || one.ColDim() != 2 {
		t.Errorf("got %d by %d", one.RowDim(), one.ColDim())
	}
	if m := op2.NewMat[float64](one, "m"); m.Sparsity() != one {
		t.Error("the matrix has another sparsity")
	}
}

// Loops look positions up in a table, or search the rows for them.
func TestSetSearch(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("sequential"), op2.Static())
	elements, nodes := rt.NewSet(1, "elements"), rt.NewSet(3, "nodes")
	elem2node := op2.NewMap(elements, nodes, 3, []int{0, 1, 2}, "elem2node")
	m := op2.NewMat[float64](op2.NewSquareSparsity(elem2node, 1, "s"), "m")
	v := op2.NewDat[float64](elements, 1, nil, "v")
	for how, search := range map[string]bool{"by search": true, "by table": false} {
		m.Sparsity().SetSearch(search)
		text := optest.Must(op2.NewLoop(op2.Kernels(errorsSource).Func(local3x3), elements, m.Inc(elem2node, elem2node), v.Read()).Generate())
		if !strings.Contains(text, how) || search != strings.Contains(text, "op2_positions") {
			t.Errorf("search %v:\n%s", search, text)
		}
	}
}

// Renumber reorders what was declared before: the matrix is that of the declared mesh, however it is
// read, and set.
func TestRenumberMats(t *testing.T) {
	const n, m = 200, 90
	assemble := func(renumber bool) ([]float64, string) {
		rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
		defer rt.Close()
		mesh := optest.NewTopology(n, m)
		elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, m, "nodes")
		elem2node := optest.NewMap(t, elements, nodes, 3, mesh.Anywhere(3), "elem2node")
		free := elem2node.Masked(op2.NewSubset(nodes, []int{0, 1, 50, 89}, "wall"), "free")
		inner := op2.NewSubset(elements, []int{3, 4, 5, 60, 61, 100, 199}, "inner")
		v := optest.NewDat(t, elements, 1, optest.Some[float64](mesh.Random, n), "v")
		if renumber {
			if err := rt.Renumber(); err != nil {
				t.Fatal(err)
			}
		}
		a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, 1, 1, "sp"), "a")
		optest.Run(t, op2.Kernels(errorsSource).Func(local3x3), elements, a.Inc(free, elem2node), v.Read())
		optest.Run(t, op2.Kernels(errorsSource).Func(local3x3), inner, a.Inc(elem2node, free), v.Read())
		optest.OK(t, a.Set(3, 3, 7))
		csr := optest.Must(a.CSR())
		csr.Values[csr.RowPtr[5]] *= 2
		before := optest.Must(a.Values())
		optest.Must(a.CSR()).Values[0] += 1
		values := optest.Must(a.Values())
		values[0] -= 1
		pattern := a.Sparsity()
		for i := range m {
			row := csr.ColIdx[csr.RowPtr[i]:csr.RowPtr[i+1]]
			if !slices.IsSorted(row) || !slices.Equal(row, pattern.ColIdx()[pattern.RowPtr()[i]:pattern.RowPtr()[i+1]]) {
				t.Errorf("row %d has the columns %v", i, row)
			}
			for k, j := range row {
				if v := optest.Must(a.At(i, int(j))); v != values[i*m+int(j)] && i+int(j) > 0 || v != csr.Values[int(csr.RowPtr[i])+k] && i+int(j) > 0 {
					t.Errorf("At(%d, %d) is %v", i, j, v)
				}
			}
		}
		gathered := optest.Must(a.Gather(0))
		if !slices.Equal(before, values) || !slices.Equal(gathered.ColIdx, csr.ColIdx) || !slices.Equal(gathered.Values[1:], csr.Values[1:]) {
			t.Error("the matrix differs")
		}
		var text strings.Builder
		optest.OK(t, a.WriteMatrixMarket(&text))
		x, y := op2.NewDat(nodes, 1, optest.Some[float64](mesh.Random, m), "x"), op2.NewDat[float64](nodes, 1, nil, "y")
		optest.OK(t, a.Mul(y, x))
		return append(values, optest.Must(y.Data())...), text.String()
	}
	one, text := assemble(false)
	other, same := assemble(true)
	for i, v := range one {
		if math.Abs(v-other[i]) > 1e-12 {
			t.Fatalf("value %d is %v after Renumber, %v without", i, other[i], v)
		}
	}
	if text != same {
		t.Error("another file after Renumber")
	}
}

// A static runtime has generated source and no data.
func TestMatStatic(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("openmp"), op2.Static()))
	defer rt.Close()
	elements, nodes := optest.NewSet(t, rt, 0, "elements"), optest.NewSet(t, rt, 0, "nodes")
	elem2node := optest.NewMap(t, elements, nodes, 3, nil, "elem2node")
	m := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, 1, 1, "sp"), "m")
	v := optest.NewDat[float64](t, elements, 1, nil, "v")
	for _, arg := range []op2.Arg{m.Inc(elem2node, elem2node), m.Write(elem2node, elem2node)} {
		l := op2.NewLoop(op2.Kernels(errorsSource).Func(local3x3), elements, arg, v.Read())
		if text := optest.Must(l.Generate()); !strings.Contains(text, "mat of float64, 3 by 3") {
			t.Errorf("got\n%s", text)
		}
		if err := l.Compute(); !errors.Is(err, op2.ErrStatic) {
			t.Errorf("got %v", err)
		}
	}
	for _, err := range []error{m.Zero(), optest.Last(m.CSR()), optest.Last(m.Values()), optest.Last(m.At(0, 0)), optest.Last(m.Norm()), m.CheckFinite(),
		m.ZeroRows(nodes, 1), m.Mul(nil, nil), m.MulTranspose(nil, nil), m.Diagonal(nil), m.WriteMatrixMarket(nil)} {
		if !errors.Is(err, op2.ErrStatic) {
			t.Errorf("got %v, want ErrStatic", err)
		}
	}
}
