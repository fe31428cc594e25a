package fromgo

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// maxValues is the number of scalars that one variable may hold, since it is on a stack.
const maxValues = 1 << 20

// maxLevels limits the nesting of arrays and structs. It also ends the descent into an infinite
// type.
const maxLevels = 20

// scalars are the Go types of scalars; int is 64 bit.
var scalars = map[types.BasicKind]loop.Scalar{
	types.Bool:         loop.Bool,
	types.Int:          loop.Int64,
	types.Int8:         loop.Int8,
	types.Int16:        loop.Int16,
	types.Int32:        loop.Int32,
	types.Int64:        loop.Int64,
	types.Uint:         loop.Uint64,
	types.Uint8:        loop.Uint8,
	types.Uint16:       loop.Uint16,
	types.Uint32:       loop.Uint32,
	types.Uint64:       loop.Uint64,
	types.Float32:      loop.Float32,
	types.Float64:      loop.Float64,
	types.UntypedBool:  loop.Bool,
	types.UntypedInt:   loop.Int64,
	types.UntypedRune:  loop.Int32,
	types.UntypedFloat: loop.Float64,
}

// complexParts are the scalars of the parts of Go's complex types.
var complexParts = map[types.BasicKind]loop.Scalar{
	types.Complex64: loop.Float32, types.Complex128: loop.Float64, types.UntypedComplex: loop.Float64,
}

// scalar returns the scalar that t is; loop.Invalid if it is none.
func scalar(t types.Type) loop.Scalar { return scalarIn(scalars, t) }

// complexKind returns the scalar of the parts of complex type t; loop.Invalid for other types.
func complexKind(t types.Type) loop.Scalar { return scalarIn(complexParts, t) }

func isComplex(t types.Type) bool { return complexKind(t) != loop.Invalid }

// scalarIn returns the scalar that a table has for t, which may be nil; loop.Invalid if there is none.
func scalarIn(table map[types.BasicKind]loop.Scalar, t types.Type) loop.Scalar {
	if t != nil {
		if b, ok := t.Underlying().(*types.Basic); ok {
			return table[b.Kind()]
		}
	}
	return loop.Invalid
}

// array returns the array that t is or points to.
func array(t types.Type) (a *types.Array, ok bool) {
	if p, pointer := t.Underlying().(*types.Pointer); pointer {
		t = p.Elem()
	}
	a, ok = t.Underlying().(*types.Array)
	return a, ok
}

func isPointer(t types.Type) bool { return t != nil && kernel.Is[*types.Pointer](t.Underlying()) }

func isArray(t types.Type) bool { return kernel.Is[*types.Array](t.Underlying()) }

// outside returns why values of type t are outside the subset, and what to use instead; what is ""
// if they are not. For a parameter, a pointer is allowed at the top, and a slice or a slice of
// slices.
func outside(t types.Type, parameter bool) (what, hint string) {
	if n := sliceLevels(t); n > 0 && parameter {
		elem := t
		for range n {
			elem = elem.Underlying().(*types.Slice).Elem()
		}
		if what, hint = outsideValue(elem, 0); what == "" && n > 2 {
			return "a slice, " + typeString(t), "use at most two levels, [][]T"
		}
		return what, hint
	}
	if p, ok := t.Underlying().(*types.Pointer); ok && parameter {
		t = p.Elem()
	}
	return outsideValue(t, 0)
}

func outsideValue(t types.Type, depth int) (what, hint string) {
	if depth > maxLevels {
		return fmt.Sprintf("a type of more than %d levels", maxLevels), "use a type with fewer levels"
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.TypeArgs() != nil {
		return "a generic type, " + typeString(t), "use a type without type parameters"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return outsideBasic(t, u)
	case *types.Array:
		switch {
		case u.Len() <= 0:
			return "an array of no elements", "give the array a length of at least 1"
		case u.Len() > maxValues || values(t) > maxValues:
			return fmt.Sprintf("an array of more than %d values", maxValues), "use a smaller array, or a dat"
		}
		return outsideValue(u.Elem(), depth+1)
	case *types.Struct:
		if u.NumFields() == 0 {
			return "a struct without fields", "leave it out"
		}
		for i := range u.NumFields() {
			if what, hint = outsideValue(u.Field(i).Type(), depth+1); what != "" {
				if what != invalidType {
					what += " as a field"
				}
				return what, hint
			}
		}
		return "", ""
	case *types.Pointer:
		return "a pointer", "only parameters are pointers: use the value itself, or an index into an array"
	case *types.Slice:
		return "a slice, " + typeString(t), arrayHint(u.Elem())
	case *types.Map:
		return "a map, " + typeString(t), "use an array"
	case *types.Chan:
		return "a channel, " + typeString(t), "a kernel is the work for one element, without communication"
	case *types.Signature:
		return "a function as a value", "call top-level functions by their names"
	case *types.Interface:
		return "an interface, " + typeString(t), "use a numeric type"
	}
	return "the type " + typeString(t), "use numbers, bools, and arrays and structs of them"
}

// arrayHint says what to use instead of a slice.
func arrayHint(elem types.Type) string {
	bottom := elem
	for n := 0; n <= maxLevels && isArray(bottom); n++ {
		bottom = bottom.Underlying().(*types.Array).Elem()
	}
	if scalar(bottom) != loop.Invalid {
		return "use an array, [n]" + typeString(elem)
	}
	return "use an array of numbers"
}

func outsideBasic(t types.Type, u *types.Basic) (what, hint string) {
	switch {
	case u.Kind() == types.Invalid:
		return invalidType, ""
	case scalars[u.Kind()] != loop.Invalid, isComplex(u):
		return "", ""
	case u.Info()&types.IsString != 0:
		return "a string", "kernels compute with numbers: use an int for a choice"
	case u.Kind() == types.Uintptr:
		return "a uintptr", "use uint64"
	case u.Kind() == types.UntypedNil:
		return "nil", "kernels have no nil: use a bool or a number to say that something is missing"
	}
	return "the type " + typeString(t), "use numbers, bools, and arrays and structs of them"
}

// invalidType stands for a type that the checker could not determine.
const invalidType = "invalid type"

// values returns the number of scalars in t, or maxValues plus one if there are more.
func values(t types.Type) int64 { return valuesBelow(t, 0) }

func valuesBelow(t types.Type, depth int) int64 {
	const many = maxValues + 1
	if depth > maxLevels {
		return many
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		if u.Len() > maxValues {
			return many
		}
		return min(u.Len()*valuesBelow(u.Elem(), depth+1), many)
	case *types.Struct:
		n := int64(0)
		for i := range u.NumFields() {
			n = min(n+valuesBelow(u.Field(i).Type(), depth+1), many)
		}
		return n
	}
	if isComplex(t) {
		return 2
	}
	return 1
}

// typeString returns t as the kernel's package writes it.
func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == ownPath {
			return ""
		}
		return p.Name()
	})
}

// typ lowers a type that is within the subset.
func (b *builder) typ(t types.Type) kernel.Type {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if part := complexKind(u); part != loop.Invalid {
			return b.complexStruct(part)
		}
		return kernel.Basic(scalars[u.Kind()])
	case *types.Pointer:
		return &kernel.Pointer{Elem: b.typ(u.Elem())}
	case *types.Array:
		return &kernel.Array{Len: int(u.Len()), Elem: b.typ(u.Elem())}
	case *types.Struct:
		return b.structOf(t, u)
	}
	return kernel.Basic(loop.Invalid)
}

func (b *builder) structOf(t types.Type, u *types.Struct) *kernel.Struct {
	for _, s := range b.structs {
		if types.IdenticalIgnoreTags(s.of, u) {
			return s.lowered
		}
	}
	s := &kernel.Struct{}
	for i := range u.NumFields() {
		f := u.Field(i)
		s.Fields = append(s.Fields, kernel.Var{Name: fieldName(u, i), Type: b.typ(f.Type()), Pos: b.pos(f.Pos())})
	}
	name := "fields"
	if n, ok := t.(interface{ Obj() *types.TypeName }); ok {
		name = n.Obj().Name()
	}
	s.Name = b.structName(name)
	b.structs = append(b.structs, structType{u, s})
	return s
}

// structName makes a name unique: types in different functions may share one.
func (b *builder) structName(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(b.structs, func(s structType) bool { return s.lowered.Name == name })
	}
	unique := name
	for n := 2; taken(unique); n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	return unique
}

// fieldName returns the name of field i, even if it is blank.
func fieldName(u *types.Struct, i int) string { return kernel.FieldName(u.Field(i).Name(), i) }

// literal returns the constant v as a value of the scalar type t.
func literal(v constant.Value, t kernel.Basic, pos kernel.Pos) *kernel.Lit {
	switch s := loop.Scalar(t); {
	case s == loop.Float32:
		f, _ := constant.Float32Val(v)
		v = constant.MakeFloat64(float64(f))
	case s == loop.Float64:
		f, _ := constant.Float64Val(v)
		v = constant.MakeFloat64(f)
	case s.Integer():
		v = constant.ToInt(v)
	}
	return kernel.NewLit(v, t, pos)
}

func number(n int64, t kernel.Type, pos kernel.Pos) *kernel.Lit {
	return literal(constant.MakeInt64(n), t.(kernel.Basic), pos)
}

// sliceLevels returns the number of levels at which t is a slice, 2 for [][]float64; not more than 3.
func sliceLevels(t types.Type) (n int) {
	for t != nil && n < 3 {
		s, ok := t.Underlying().(*types.Slice)
		if !ok {
			break
		}
		t = s.Elem()
		n++
	}
	return n
}

func isSlice(t types.Type) bool { return sliceLevels(t) > 0 }

// complexStruct returns the struct that complex numbers of such parts are.
func (b *builder) complexStruct(part loop.Scalar) *kernel.Struct {
	name := "op2Complex128"
	if part == loop.Float32 {
		name = "op2Complex64"
	}
	t := b.pkg.Scope().Lookup(name).Type()
	s := b.structOf(t, t.Underlying().(*types.Struct))
	s.Name = kernel.ComplexName(part)
	return s
}

func isAggregate(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Array, *types.Struct:
		return true
	}
	return false
}

// lengthsOf returns the lengths of the outermost levels of an array.
func lengthsOf(a *kernel.Array, levels int) []kernel.Length {
	list := []kernel.Length{{Most: a.Len, Count: a.Count}}
	if levels > 1 {
		list = append(list, lengthsOf(a.Elem.(*kernel.Array), levels-1)...)
	}
	return list
}

// arrayFor returns the array that a slice of type t is lowered to.
func (b *builder) arrayFor(t types.Type, lengths []kernel.Length) kernel.Type {
	if len(lengths) == 0 {
		return b.typ(t)
	}
	elem := b.arrayFor(t.Underlying().(*types.Slice).Elem(), lengths[1:])
	return &kernel.Array{Len: lengths[0].Most, Elem: elem, Count: lengths[0].Count}
}
