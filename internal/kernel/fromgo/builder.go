package fromgo

import (
	"fmt"
	"go/token"
	"go/types"
	"path"

	"github.com/go-op2/op2/internal/kernel"
)

// builder lowers one kernel.
type builder struct {
	*Package
	file     string       // its base name
	home     int          // the number of the source that holds the kernel
	entry    types.Object // the kernel's function
	problems []kernel.Problem

	lowered map[instance]*function
	names   map[string]bool // of functions that have been lowered
	made    []*kernel.Func  // callees before callers
	structs []structType
	consts  map[types.Object]*kernel.Const
}

// function is a function that has been lowered.
type function struct {
	*kernel.Func
	pure   bool
	stored map[*kernel.Var]bool
}

// pos returns the position of p. The file name is known for the source that contains the kernel, for
// those of other packages, or if a line comment gives one; other sources are numbered.
func (b *builder) pos(p token.Pos) kernel.Pos {
	at := b.fset.Position(p)
	if !at.IsValid() {
		return kernel.Pos{}
	}
	name := path.Base(at.Filename)
	if b.otherAt(p) != nil {
		name = at.Filename
	}
	if name == sourceName(b.home) && b.file != "" {
		name = b.file
	}
	return kernel.Pos{File: name, Line: at.Line, Col: at.Column}
}

// problem records a construct at pos that is refused, and a hint. It returns false: the construct is
// refused.
func (b *builder) problem(pos token.Pos, hint, format string, args ...any) (accepted bool) {
	b.problems = append(b.problems, kernel.Problem{Pos: b.pos(pos), Msg: fmt.Sprintf(format, args...), Hint: hint})
	return false
}

// instance identifies a function with certain lengths of the slices among its parameters.
type instance struct {
	of      types.Object
	lengths string
}

// structType is a struct and its IR type. Structs with the same fields share one IR type, so that
// conversion between them is a no-op.
type structType struct {
	of      *types.Struct
	lowered *kernel.Struct
}

// funcName returns a name for the next instance of a function. That of a method begins with its
// type, and that of another package's function with the package: gas_State_Add.
func (b *builder) funcName(obj *types.Func) string {
	first := obj.Name()
	if recv := obj.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		first = types.Unalias(t).(*types.Named).Obj().Name() + "_" + first
	}
	if obj.Pkg() != b.pkg {
		first = obj.Pkg().Name() + "_" + first
	}
	name := first
	for n := 2; b.names[name] || (n > 2 || name != obj.Name()) && b.pkg.Scope().Lookup(name) != nil; n++ {
		name = fmt.Sprintf("%s_%d", first, n)
	}
	b.names[name] = true
	return name
}
