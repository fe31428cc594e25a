package kernel

import "github.com/go-op2/op2/internal/loop"

// Shape describes the values behind a parameter: Rows targets, as many as the map has (1 unless all
// of them are passed at once), of Cols values each; or an element's local matrix.
type Shape struct {
	Rows, Cols int
	Matrix     bool
	Number     bool // the element's number
	Global     bool
	LeftOut    bool         // the call leaves the argument out: there are none
	Value      *loop.Layout // of each value; nil for plain scalars
	// Counts of the parameters that lead to the lengths of rows, and of those of a matrix; 0 if they do not vary.
	RowCount, ColCount int
	Parts              []Part // of a parameter of parts: what it consists of, one after the other; of matrices, blocks in any place
}

// Part is one part of the values behind a parameter.
type Part struct {
	Name string // of the dat
	Shape
}

// ShapeOf returns the shape of the values of a loop's argument; of a part of one, of that alone.
func ShapeOf(l *loop.Loop, a loop.Arg) Shape {
	if a.Kind == loop.Mat {
		rows, cols := l.Local(a)
		return Shape{Rows: rows, Cols: cols, Matrix: true, RowCount: l.Count(a.Map), ColCount: l.Count(a.ColMap)}
	}
	shape := Shape{Rows: l.Arity(a), Cols: l.Dim(a), Number: a.Kind == loop.Index, Global: a.Kind == loop.Global}
	if a.WholeMap() && a.Map != loop.Direct {
		shape.RowCount = l.Count(a.Map)
	}
	if a.Kind != loop.Index {
		d := l.Data[a.Data]
		shape.Cols, shape.Value = l.Dim(a)/d.Words(), d.Value
	}
	return shape
}

// scalars returns the number of scalars in each value.
func (s Shape) scalars() int {
	if s.Value == nil {
		return 1
	}
	return Count(TypeOf(s.Value))
}
