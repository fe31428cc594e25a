package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

//go:embed ranks_mat_kernels_test.go
var ranksMatSource string

// Operations on matrices mean the same on several ranks as on one.
func TestMatRanks(t *testing.T) {
	optest.ResultsOnRanks(t, []string{"go", "sequential", "openmp", "test+sequential", "go+test"}, matsOnRanks)
}

// The same on devices, which store vectors component by component, with those of the halo.
func TestMatRanksOnDevices(t *testing.T) {
	optest.NotShort(t)
	for _, name := range deviceBackends {
		gputest.Require(t, name)
		optest.ResultsOnRanks(t, []string{name}, matsOnRanks)
	}
}

// matsOnRanks is a program with matrices.
func matsOnRanks(rt *op2.Runtime, f *optest.Found) error {
	k := op2.Kernels(ranksMatSource)
	rectangle, err := mesh.Rectangle(mesh.Triangle, 7, 5, 1, 1)
	if err != nil {
		return err
	}
	steps := optest.Steps(rt)
	m := rectangle.Declare(rt)
	cells := m.Cells.Size()
	itself := make([]int32, cells)
	number := make([]float64, cells)
	for i := range itself {
		itself[i], number[i] = int32(i), float64((i*7)%cells)
	}
	self := op2.NewMap(m.Cells, m.Cells, 1, itself, "self")
	numbers := op2.NewDat(m.Cells, 1, number, "number")
	u, v := op2.NewDat[float64](m.Nodes, 1, nil, "u"), op2.NewDat[float64](m.Nodes, 1, nil, "v")
	u2, v2 := op2.NewDat[float64](m.Nodes, 2, nil, "u2"), op2.NewDat[float64](m.Nodes, 2, nil, "v2")
	w := op2.NewDat[float64](m.Cells, 1, nil, "w")
	left := m.NodesOf("left")
	masked := m.CellNodes.Masked(left, "masked")
	err1 := masked.Err()
	half := m.CellNodes.Masked(left, "half", 1)
	err2 := half.Err()
	steps.Check(errors.Join(err1, err2))
	a := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "square"), "a")
	block := op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 2, "blocks"), "block")
	wide := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: m.CellNodes, Cols: self}}, 1, 1, "wide"), "wide")
	steps.Check(op2.ParLoop(k.Func(ramp), m.Nodes, u.Write(), op2.Index()))
	steps.Check(op2.ParLoop(k.Func(ramp2), m.Nodes, u2.Write(), op2.Index()))
	steps.Check(op2.ParLoop(k.Func(ramp), m.Cells, w.Write(), op2.Index()))
	steps.Check(op2.ParLoop(k.Func(couple3x3), m.Cells, a.Inc(m.CellNodes, m.CellNodes), m.X.Read(m.CellNodes)))
	steps.Check(op2.ParLoop(k.Func(couple6x6), m.Cells, block.Inc(half, half), m.X.Read(m.CellNodes)))
	steps.Check(op2.ParLoop(k.Func(couple3x1), m.Cells, wide.Inc(m.CellNodes, self), m.X.Read(m.CellNodes)))
	if err := steps.Err(); err != nil {
		return err
	}
	check := func(name string, a *op2.Mat[float64], y, x *op2.Dat[float64]) {
		steps.Check(a.Mul(y, x))
		steps.Check(f.Dat(name+" times", y))
		steps.Check(a.MulTranspose(x, y))
		steps.Check(f.Dat(name+" transposed", x))
		values, err := a.Values()
		steps.Check(f.Record(name, values, err))
		norm, err := a.Norm()
		steps.Check(f.Number(name+" norm", norm, err))
		at, err := a.At(3, 4)
		steps.Check(f.Number(name+" at", at, err))
		var text strings.Builder
		steps.Check(a.WriteMatrixMarket(&text))
		f.Texts[name+" market"] = strings.Join(strings.SplitN(text.String(), "\n", 4)[:min(2, text.Len())], "\n")
		whole, err := a.Gather(0)
		steps.Check(err)
		f.Texts[name+" pattern"] = fmt.Sprint(whole.Rows, whole.Cols, whole.RowDim, whole.ColDim, whole.RowPtr, whole.ColIdx)
		f.Values[name+" gathered"] = whole.Values
	}
	check("a", a, v, u)
	check("block", block, v2, u2)
	check("wide", wide, v, w)

	steps.Check(a.Diagonal(v))
	steps.Check(f.Dat("diagonal", v))
	steps.Check(a.AddToDiagonal(u))
	steps.Check(a.ZeroRows(left, 3))
	steps.Check(a.Set(9, 9, 5))
	steps.Check(a.Add(10, 10, 5))
	steps.Check(block.ZeroRows(left, 2, 1))
	check("a changed", a, v, u)
	check("block changed", block, v2, u2)

	steps.Check(a.Zero())
	steps.Check(op2.ParLoop(k.Func(order3x3), m.Cells, a.Write(m.CellNodes, m.CellNodes), numbers.Read()))
	steps.Check(op2.ParLoop(k.Func(order3x1), m.Cells, wide.Write(m.CellNodes, self), numbers.Read()))
	values, err := a.Values()
	steps.Check(f.Record("written", values, err))
	steps.Check(op2.ParLoop(k.Func(order3x3), m.Cells, a.Inc(masked, masked), numbers.Read()))
	values, err = a.Values()
	steps.Check(f.Record("masked", values, err))
	if err := a.Set(0, 40, 1); err == nil {
		return fmt.Errorf("a value that the pattern lacks was set")
	} else {
		f.Texts["lacking"] = err.Error()
	}
	return steps.Err()
}

// Facets add to a matrix of their cells' pattern also on ranks that have a facet without its cell.
func TestFacetsOfOtherRanks(t *testing.T) {
	optest.ResultsOnRanks(t, []string{"go", "sequential"}, func(rt *op2.Runtime, f *optest.Found) error {
		optest.Distribute(rt, func(set string, e int) int {
			if set == "facets" {
				return (e + 1) % rt.Ranks()
			}
			return 0
		})
		const n = 12 // cells of a strip, each with a facet between its first and its last node
		var cellNodes, facetNodes []int32
		numbers := make([]float64, n)
		for c := range int32(n) {
			cellNodes, facetNodes = append(cellNodes, c, c+1, c+2), append(facetNodes, c, c+2)
			numbers[c] = float64(c * 7 % 5)
		}
		steps := optest.Steps(rt)
		nodes, cells, facets := rt.NewSet(n+2, "nodes"), rt.NewSet(n, "cells"), rt.NewSet(n, "facets")
		cellNode, facetNode := op2.NewMap(cells, nodes, 3, cellNodes, "cellNode"), op2.NewMap(facets, nodes, 2, facetNodes, "facetNode")
		ofCells, ofFacets := op2.NewDat(cells, 1, numbers, "ofCells"), op2.NewDat(facets, 1, numbers, "ofFacets")
		k := op2.Kernels(ranksMatSource)
		for _, search := range []bool{false, true} {
			pattern := op2.NewSquareSparsity(cellNode, 1, "pattern")
			pattern.SetSearch(search)
			a := op2.NewMat[float64](pattern, "a")
			steps.Check(op2.ParLoop(k.Func(order3x3), cells, a.Inc(cellNode, cellNode), ofCells.Read()))
			steps.Check(op2.ParLoop(k.Func(order2x2), facets, a.Inc(facetNode, facetNode), ofFacets.Read()))
			values, err := a.Values()
			steps.Check(f.Record(fmt.Sprint("values ", search), values, err))
		}
		return steps.Err()
	})
}
