package fromgo

import (
	_ "embed"
	"go/ast"
	"go/token"
	"math"
	"strings"
)

// complexSource declares the functions of complex numbers, in Go without complex numbers. Quotients
// are those of Go's runtime: R. L. Smith, "Algorithm 116: Complex division" (1962), and the cases of
// C99, annex G.5.1, for infinities and zeros.
//
//go:embed source/complex.go.txt
var complexSource string

// complexFunctions returns complexSource for the Go that the program was built with: a quotient is
// corrected where both parts are NaN, in older versions where one is.
func complexFunctions() string {
	infinite := complex(math.Inf(1), math.Inf(1))
	q, any := infinite/complex(1, real(infinite)-real(infinite)+2), "&&"
	if !math.IsNaN(imag(q)) && !math.IsNaN(real(q)) {
		any = "||"
	}
	return strings.Replace(complexSource, "ANY", any, 1)
}

// namesComplex reports whether a file may have complex numbers: there are none without a literal, their
// types or the builtin function that makes them.
func namesComplex(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || n.Kind == token.IMAG
		case *ast.Ident:
			found = found || n.Name == "complex" || n.Name == "complex64" || n.Name == "complex128"
		}
		return !found
	})
	return found
}

// complexFile is the name of complexSource in positions.
const complexFile = "complex.go"
