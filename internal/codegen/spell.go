package codegen

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// What the printers of loop programs have in common.

// put returns the statement that stores value, which a kernel left, in place.
func (p *printer) put(op lower.Op, t loop.Scalar, place, value string) string {
	switch op {
	case lower.Add:
		return place + " += " + value + ";"
	case lower.Min, lower.Max:
		f := p.helpers.useFor(op.String(), t)
		return place + " = " + f + "(" + place + ", " + value + ");"
	}
	return place + " = " + value + ";"
}

// own declares a variable with n values of type t, or one value if n is 1.
func own(t loop.Scalar, name string, n int) string {
	if n == 1 {
		return t.C() + " " + name
	}
	return fmt.Sprintf("%s %s[%d]", t.C(), name, n)
}

// ownRows declares a local of a program.
func ownRows(l lower.Local, name string) string { return l.Type.C() + " " + name + dimensions(l) }

// dimensions returns the dimensions of a local of a program, with brackets.
func dimensions(l lower.Local) string {
	s := ""
	if l.Rows > 0 {
		s = fmt.Sprintf("[%d]", l.Rows)
	}
	if l.Dim > 1 || l.Role == lower.Matrix {
		s += fmt.Sprintf("[%d]", l.Dim)
	}
	return s
}

// fillMatrix returns the statement that sets all values of a local matrix.
func fillMatrix(l lower.Local, name, value string) string {
	return fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) %s[i][j] = %s;", l.Rows, l.Dim, name, value)
}

// row returns row c of a local of a program.
func row(l lower.Local, name string, c int) string {
	if l.Rows == 0 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, c)
}

// moved returns the values in row c of what a move moves to or from a local: of a part, if the local
// holds several. They are given by their subscript d, as each and all have it; without one, the first
// is pointed at if there are several. Parts are elements of the local's own array, which may be a
// member of a union: compilers need to see that.
func moved(m lower.Move, l lower.Local, name string, c int) func(subscript string) string {
	at := m.Offset + c*m.Dim
	return func(subscript string) string {
		switch {
		case l.Rows > 0 || m.Dim == l.Dim:
			return row(l, name, c) + subscript
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

// rowPointers returns the pointers to each row of a local.
func rowPointers(l lower.Local, name string) []string {
	list := make([]string, l.Rows)
	for c := range list {
		list[c] = row(l, name, c)
		if l.Dim == 1 && l.Role != lower.Matrix {
			list[c] = "&" + list[c]
		}
	}
	return list
}

// pointers declares an array of pointers.
func pointers(t, name string, to []string) string {
	return fmt.Sprintf("%s *%s[%d] = {%s};", t, name, len(to), strings.Join(to, ", "))
}

// address returns what to pass for a variable that own declared.
func address(name string, n int) string {
	if n == 1 {
		return "&" + name
	}
	return name
}

// each returns a statement for each of n values; in it, %[1]s stands for the subscript of a pointer
// and %[2]s for that of a variable that own declared.
func each(n int, format string) string {
	if n == 1 {
		return fmt.Sprintf(format, "[0]", "")
	}
	return fmt.Sprintf("for (int d = 0; d < %d; d++) ", n) + fmt.Sprintf(format, "[d]", "[d]")
}

// all returns a statement for each of n values: the result of of for the number of a value and its
// subscript in a variable that own declared.
func all(n int, of func(d, subscript string) string) string {
	if n == 1 {
		return of("0", "")
	}
	return fmt.Sprintf("for (int d = 0; d < %d; d++) ", n) + of("d", "[d]")
}

// zeros returns the initializer of n zero values.
func zeros(n int) string {
	if n == 1 {
		return "0"
	}
	return "{0}"
}

// offset returns base + n * index.
func offset(base string, n int, index string) string {
	if n == 1 {
		return base + " + " + index
	}
	return fmt.Sprintf("%s + %d * %s", base, n, index)
}

// poisonValue returns a value of type t that is conspicuous in results.
func poisonValue(t loop.Scalar) string {
	if t.Float() {
		return "NAN"
	}
	return fmt.Sprintf("(%s)UINT64_C(0x7ff87ff87ff87ff8)", t.C())
}
