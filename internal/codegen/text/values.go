package text

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// What the printers of loop programs have in common: how values are declared, addressed and moved.

// Own declares a variable with n values of type t, or one value if n is 1.
func Own(t loop.Scalar, name string, n int) string {
	if n == 1 {
		return t.C() + " " + name
	}
	return fmt.Sprintf("%s %s[%d]", t.C(), name, n)
}

// OwnRows declares a local of a program.
func OwnRows(l lower.Local, name string) string { return l.Type.C() + " " + name + Dimensions(l) }

// Dimensions returns the dimensions of a local of a program, with brackets.
func Dimensions(l lower.Local) string {
	s := ""
	if l.Rows > 0 {
		s = fmt.Sprintf("[%d]", l.Rows)
	}
	if l.Dim > 1 || l.Role == lower.Matrix {
		s += fmt.Sprintf("[%d]", l.Dim)
	}
	return s
}

// FillMatrix returns the statement that sets all values of a local matrix.
func FillMatrix(l lower.Local, name, value string) string {
	return fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) %s[i][j] = %s;", l.Rows, l.Dim, name, value)
}

// Row returns row c of a local of a program.
func Row(l lower.Local, name string, c int) string {
	if l.Rows == 0 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, c)
}

// Moved returns the values in row c that a move moves to or from a local, or to or from a part of it, by
// their subscript d, as in Each and All. Without a subscript it points to the first of several. Parts are
// subscripts of the local's own array, which may be a member of a union: compilers need to see that.
func Moved(m lower.Move, l lower.Local, name string, c int) func(subscript string) string {
	at := m.Offset + c*m.Dim
	return func(subscript string) string {
		switch {
		case l.Rows > 0 || m.Dim == l.Dim:
			return Row(l, name, at/m.Dim) + subscript
		case m.Dim == 1:
			return fmt.Sprintf("%s[%d]", name, at)
		case at == 0:
			return name + subscript
		case subscript == "":
			return fmt.Sprintf("(%s + %d)", name, at)
		}
		return fmt.Sprintf("%s[%d + d]", name, at)
	}
}

// RowPointers returns the pointers to each row of a local.
func RowPointers(l lower.Local, name string) []string {
	list := make([]string, l.Rows)
	for c := range list {
		list[c] = Row(l, name, c)
		if l.Dim == 1 && l.Role != lower.Matrix {
			list[c] = "&" + list[c]
		}
	}
	return list
}

// Pointers declares an array of pointers.
func Pointers(t, name string, to []string) string {
	return fmt.Sprintf("%s *%s[%d] = {%s};", t, name, len(to), strings.Join(to, ", "))
}

// Address returns the argument for a variable that Own declared.
func Address(name string, n int) string {
	if n == 1 {
		return "&" + name
	}
	return name
}

// Each returns a statement for each of n values; in it, %[1]s stands for the subscript of a pointer
// and %[2]s for that of a variable that own declared.
func Each(n int, format string) string {
	return All(n, func(d, subscript string) string { return fmt.Sprintf(format, "["+d+"]", subscript) })
}

// All returns a statement for each of n values: the result of of for the number of a value and its
// subscript in a variable that own declared.
func All(n int, of func(d, subscript string) string) string {
	if n == 1 {
		return of("0", "")
	}
	return fmt.Sprintf("for (int d = 0; d < %d; d++) ", n) + of("d", "[d]")
}

// Zeros returns the initializer of n zero values.
func Zeros(n int) string {
	if n == 1 {
		return "0"
	}
	return "{0}"
}

// Offset returns base + n * index.
func Offset(base string, n int, index string) string {
	if n == 1 {
		return base + " + " + index
	}
	return fmt.Sprintf("%s + %d * %s", base, n, index)
}

// AtLevel returns the number of the first of n values at a level of a column; "" at a place that has none.
func AtLevel(l lower.Level, n int) string {
	switch {
	case l.Of == 0:
		return ""
	case l.Step == 0:
		return fmt.Sprint(n * l.First)
	}
	level := Times(l.Step, LayerName, "0")
	if l.First != 0 {
		level = fmt.Sprintf("(%s + %d)", level, l.First)
	}
	return Times(n, level, "0")
}

// LayerName is the variable that counts the layers of a column.
const LayerName = "op2_layer"

// OverLayers returns the head of the loop over the layers of a column; "" for elements without. The bounds of columns that vary, and the
// number of the column, are in variables.
func OverLayers(l loop.Layers, bounds, column string) string {
	if l.Of == 0 {
		return ""
	}
	if l.Bounds == 0 {
		first, last := l.Range()
		return fmt.Sprintf("for (int64_t %[1]s = %[2]d; %[1]s < %[3]d; %[1]s++) {", LayerName, first, last)
	}
	from, end := fmt.Sprintf("%s[2 * %s]", bounds, column), fmt.Sprintf("%s[2 * %s + 1]", bounds, column)
	switch l.Region {
	case loop.Bottom:
		end = fmt.Sprintf("(%[1]s < %[2]s ? %[1]s + 1 : %[2]s)", from, end)
	case loop.Top:
		from = fmt.Sprintf("(%[1]s < %[2]s ? %[2]s - 1 : %[2]s)", from, end)
	case loop.Facets:
		end += " - 1"
	}
	return fmt.Sprintf("for (int64_t %[1]s = %[2]s, op2_end = %[3]s; %[1]s < op2_end; %[1]s++) {", LayerName, from, end)
}

// InColumn returns the number of an element, or that of the element of a column with the number that a layer runs for.
func InColumn(l lower.Level, number string) string {
	if l.Of == 0 {
		return number
	}
	return Times(l.Of, "(int64_t)"+number, LayerName)
}

// LayerOf returns the number of the layer that runs among those of all columns, of n each; that of the element without columns.
func LayerOf(n int, element string) string {
	if n == 0 {
		return element
	}
	return "(" + InColumn(lower.Level{Of: n}, element) + ")"
}

// From returns a pointer that is n values further.
func From(pointer string, n int) string {
	if n == 0 {
		return pointer
	}
	return fmt.Sprintf("%s + %d", pointer, n)
}

// Value returns the number of value d of those that begin at first.
func Value(first int, d string) string {
	switch {
	case first == 0:
		return d
	case d == "0":
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("(%d + %s)", first, d)
}

// Times returns n * at + value.
func Times(n int, at, value string) string {
	switch {
	case n == 1:
		return at
	case value == "0":
		return fmt.Sprintf("%d * %s", n, at)
	}
	return fmt.Sprintf("%d * %s + %s", n, at, value)
}

// PoisonValue returns a value of type t that is conspicuous in results.
func PoisonValue(t loop.Scalar) string {
	if t.Float() {
		return "NAN"
	}
	return fmt.Sprintf("(%s)UINT64_C(0x7ff87ff87ff87ff8)", t.C())
}

// EachWhole returns a statement for each of n values, given the number of a value.
func EachWhole(n int, of func(v string) string) string {
	if n == 1 {
		return of("0")
	}
	return fmt.Sprintf("for (int op2_v = 0; op2_v < %d; op2_v++) ", n) + of("op2_v")
}

// Plus returns pointer + offset, as an operand of a cast; the offset of value 0 is none.
func Plus(pointer, offset, v string) string {
	if v == "0" {
		if strings.Contains(pointer, " ") {
			return "(" + pointer + ")"
		}
		return pointer
	}
	return "(" + pointer + " + " + offset + ")"
}

// MatrixAt returns the subscripts of a value in a local matrix, given its row and column in the scattered
// block.
func MatrixAt(s lower.Scatter, row, col string) string {
	if s.Row > 0 {
		row = fmt.Sprintf("%d + %s", s.Row, row)
	}
	if s.Col > 0 {
		col = fmt.Sprintf("%d + %s", s.Col, col)
	}
	return "[" + row + "][" + col + "]"
}

// Nonzeros are the names of a table of nonzeros, or of compressed rows.
type Nonzeros struct{ Table, RowPtr, ColIdx string }

// NameNonzeros returns names for the tables and compressed rows of n mats.
func NameNonzeros(s *Scope, n int) []Nonzeros {
	list := make([]Nonzeros, n)
	for e := range list {
		name := fmt.Sprintf("nonzeros%d", e)
		list[e] = Nonzeros{s.Fresh(name), s.Fresh(name + "_rowptr"), s.Fresh(name + "_colidx")}
	}
	return list
}
