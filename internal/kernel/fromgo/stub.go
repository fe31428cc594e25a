package fromgo

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/mathfn"
)

var (
	mathPackage = sync.OnceValue(func() *types.Package { return stub("math", mathSource()) })
	fmtPackage  = sync.OnceValue(func() *types.Package { return stub("fmt", fmtSource) })
)

func stub(path, source string) *types.Package {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	conf := types.Config{IgnoreFuncBodies: true}
	pkg, err := conf.Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		panic(err)
	}
	return pkg
}

func mathSource() string {
	var b strings.Builder
	b.WriteString(mathConstants)
	for _, f := range mathfn.All() {
		b.WriteString(f.Declaration() + "\n")
	}
	return b.String()
}

//go:embed source/math.go.txt
var mathConstants string

// fmtSource declares the functions of package fmt that kernels may call.
const fmtSource = `package fmt

func Print(a ...any) (n int, err error)
func Printf(format string, a ...any) (n int, err error)
func Println(a ...any) (n int, err error)
`
