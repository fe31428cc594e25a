package fromgo

import (
	"fmt"
	"go/constant"
	"math"
	"reflect"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// interp runs a kernel's IR, to be compared with the compiled function. A value is
// the bits of its scalars, one after the other; that of a pointer is the memory
// that it points to. Expressions are evaluated from right to left, as a target may
// do: what depends on the order shows.
type interp struct {
	consts map[string][]uint64
	vars   map[*kernel.Var][]uint64
}

// jump is how a statement ends: nil, a branch or a return.
type jump struct {
	branch  *kernel.Branch
	results [][]uint64
}

func (in *interp) call(f *kernel.Func, args [][]uint64) [][]uint64 {
	before := in.vars
	in.vars = map[*kernel.Var][]uint64{}
	for i, p := range f.Params {
		if _, pointer := p.Type.(*kernel.Pointer); pointer {
			in.vars[p] = args[i]
		} else {
			in.vars[p] = clone(args[i])
		}
	}
	j := in.list(f.Body.Stmts)
	in.vars = before
	if j == nil {
		return nil
	}
	return j.results
}

func clone(v []uint64) []uint64 { return append([]uint64{}, v...) }

func (in *interp) list(stmts []kernel.Stmt) *jump {
	for _, s := range stmts {
		if j := in.stmt(s); j != nil {
			return j
		}
	}
	return nil
}

func (in *interp) stmt(s kernel.Stmt) *jump {
	switch s := s.(type) {
	case *kernel.Block:
		return in.list(s.Stmts)
	case *kernel.Decl:
		v := make([]uint64, kernel.Count(s.Var.Type))
		if s.Init != nil {
			copy(v, in.eval(s.Init))
		}
		in.vars[s.Var] = v
	case *kernel.Assign:
		in.assign(s)
	case *kernel.Do:
		in.do(s)
	case *kernel.If:
		if in.eval(s.Cond)[0] != 0 {
			return in.stmt(s.Then)
		} else if s.Else != nil {
			return in.stmt(s.Else)
		}
	case *kernel.For:
		return in.forStmt(s)
	case *kernel.Switch:
		return in.switchStmt(s)
	case *kernel.Branch:
		return &jump{branch: s}
	case *kernel.Return:
		j := &jump{}
		for i := len(s.Results) - 1; i >= 0; i-- {
			j.results = append([][]uint64{clone(in.eval(s.Results[i]))}, j.results...)
		}
		return j
	}
	return nil
}

func (in *interp) assign(s *kernel.Assign) {
	if s.Op == kernel.None {
		value := clone(in.eval(s.R))
		copy(in.eval(s.L), value)
		return
	}
	y := in.eval(s.R)[0]
	x := in.eval(s.L)
	x[0] = operate(s.Op, kernel.Scalar(s.L.Type()), kernel.Scalar(s.R.Type()), x[0], y)
}

func (in *interp) do(s *kernel.Do) {
	var results [][]uint64
	if s.Call != nil {
		results = in.call(s.Call.Func, in.args(s.Call.Args))
	} else {
		results = in.math(s.Math)
	}
	for i, v := range s.Into {
		if v != nil {
			copy(in.vars[v], results[i])
		}
	}
}

func (in *interp) forStmt(s *kernel.For) *jump {
	if s.Init != nil {
		in.stmt(s.Init)
	}
	for s.Cond == nil || in.eval(s.Cond)[0] != 0 {
		if j := in.stmt(s.Body); j != nil {
			if j.branch == nil || j.branch.Target != s {
				return j
			}
			if !j.branch.Continue {
				return nil
			}
		}
		if s.Post != nil {
			in.stmt(s.Post)
		}
	}
	return nil
}

func (in *interp) switchStmt(s *kernel.Switch) *jump {
	for i := in.choose(s); i >= 0 && i < len(s.Cases); i++ {
		if j := in.stmt(s.Cases[i].Body); j != nil {
			if j.branch != nil && j.branch.Target == s {
				return nil
			}
			return j
		}
		if !s.Cases[i].Fallthrough {
			break
		}
	}
	return nil
}

func (in *interp) choose(s *kernel.Switch) int {
	tag, t := uint64(1), loop.Bool
	if s.Tag != nil {
		tag, t = in.eval(s.Tag)[0], kernel.Scalar(s.Tag.Type())
	}
	other := -1
	for i, c := range s.Cases {
		if c.Default {
			other = i
		}
		for _, v := range c.Values {
			if operate(kernel.Eq, t, t, tag, in.eval(v)[0]) != 0 {
				return i
			}
		}
	}
	return other
}

func (in *interp) args(exprs []kernel.Expr) [][]uint64 {
	values := make([][]uint64, len(exprs))
	for i := len(exprs) - 1; i >= 0; i-- {
		values[i] = in.eval(exprs[i])
	}
	return values
}

// eval is the value of e; of a place, it is the place itself.
func (in *interp) eval(e kernel.Expr) []uint64 {
	switch e := e.(type) {
	case *kernel.Lit:
		return []uint64{literalBits(e)}
	case *kernel.Ref:
		return in.vars[e.Var]
	case *kernel.ConstRef:
		return in.consts[e.Const.Name]
	case *kernel.Index:
		n := kernel.Count(e.T)
		i := int(in.eval(e.I)[0]) * n
		return in.eval(e.X)[i : i+n]
	case *kernel.Select:
		_, at := kernel.Elem(e.X.Type()).(*kernel.Struct).Field(e.Field)
		return in.eval(e.X)[at : at+kernel.Count(e.T)]
	case *kernel.Deref:
		return in.eval(e.X)
	case *kernel.AddrOf:
		return in.eval(e.X)
	case *kernel.Unary:
		return []uint64{unary(e.Op, kernel.Scalar(e.T), in.eval(e.X)[0])}
	case *kernel.Binary:
		return in.binary(e)
	case *kernel.Convert:
		v := number64(kernel.Scalar(e.X.Type()), in.eval(e.X)[0])
		return []uint64{convert(v, kernel.Scalar(e.T))}
	case *kernel.Call:
		return in.call(e.Func, in.args(e.Args))[0]
	case *kernel.Math:
		return in.math(e)[0]
	case *kernel.Composite:
		return in.composite(e)
	}
	panic(fmt.Sprintf("%T", e))
}

func (in *interp) binary(e *kernel.Binary) []uint64 {
	switch e.Op {
	case kernel.LAnd:
		if in.eval(e.X)[0] == 0 {
			return []uint64{0}
		}
		return clone(in.eval(e.Y))
	case kernel.LOr:
		if in.eval(e.X)[0] != 0 {
			return []uint64{1}
		}
		return clone(in.eval(e.Y))
	}
	y := in.eval(e.Y)[0]
	x := in.eval(e.X)[0]
	return []uint64{operate(e.Op, kernel.Scalar(e.X.Type()), kernel.Scalar(e.Y.Type()), x, y)}
}

func (in *interp) composite(e *kernel.Composite) []uint64 {
	var cells []uint64
	for i, x := range e.Elems {
		switch {
		case x != nil:
			cells = append(cells, in.eval(x)...)
		case isArrayType(e.T):
			cells = append(cells, make([]uint64, kernel.Count(e.T.(*kernel.Array).Elem))...)
		default:
			cells = append(cells, make([]uint64, kernel.Count(e.T.(*kernel.Struct).Fields[i].Type))...)
		}
	}
	return cells
}

var mathFuncs = map[string]any{
	"Sqrt": math.Sqrt, "Abs": math.Abs, "Floor": math.Floor, "Mod": math.Mod, "Modf": math.Modf,
	"Frexp": math.Frexp, "Sincos": math.Sincos, "Max": math.Max, "Float64bits": math.Float64bits,
}

func (in *interp) math(e *kernel.Math) [][]uint64 {
	args := in.args(e.Args)
	if e.Name == "min" || e.Name == "max" {
		s := kernel.Scalar(e.T)
		best := args[0][0]
		for _, a := range args[1:] {
			less := operate(kernel.Lt, s, s, a[0], best) != 0
			if less == (e.Name == "min") && a[0] != best {
				best = a[0]
			}
		}
		return [][]uint64{{best}}
	}
	var values []reflect.Value
	for i, a := range args {
		values = append(values, reflect.ValueOf(number64(kernel.Scalar(e.Args[i].Type()), a[0])))
	}
	var results [][]uint64
	for _, r := range reflect.ValueOf(mathFuncs[e.Name]).Call(values) {
		results = append(results, flatten(r))
	}
	return results
}

func literalBits(e *kernel.Lit) uint64 {
	s := kernel.Scalar(e.T)
	switch {
	case s == loop.Bool:
		return bit(constant.BoolVal(e.Value))
	case s.Float():
		f, _ := constant.Float64Val(e.Value)
		return convert(f, s)
	case s.Unsigned():
		u, _ := constant.Uint64Val(e.Value)
		return u
	}
	i, _ := constant.Int64Val(e.Value)
	return uint64(i)
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// number64 is the scalar as an int64, a uint64 or a float64.
func number64(s loop.Scalar, bits uint64) any {
	switch {
	case s == loop.Float32:
		return float64(math.Float32frombits(uint32(bits)))
	case s == loop.Float64:
		return math.Float64frombits(bits)
	case s.Signed():
		return int64(bits)
	}
	return bits
}

// convert is Go's conversion of an int64, a uint64 or a float64 to s.
func convert(v any, s loop.Scalar) uint64 {
	types := map[loop.Scalar]any{
		loop.Int8: int8(0), loop.Int16: int16(0), loop.Int32: int32(0), loop.Int64: int64(0),
		loop.Uint8: uint8(0), loop.Uint16: uint16(0), loop.Uint32: uint32(0), loop.Uint64: uint64(0),
		loop.Float32: float32(0), loop.Float64: float64(0),
	}
	return flatten(reflect.ValueOf(v).Convert(reflect.TypeOf(types[s])))[0]
}

// flatten is the bits of the scalars in v.
func flatten(v reflect.Value) []uint64 {
	switch v.Kind() {
	case reflect.Pointer:
		return flatten(v.Elem())
	case reflect.Array:
		var cells []uint64
		for i := range v.Len() {
			cells = append(cells, flatten(v.Index(i))...)
		}
		return cells
	case reflect.Bool:
		return []uint64{bit(v.Bool())}
	case reflect.Float32:
		return []uint64{uint64(math.Float32bits(float32(v.Float())))}
	case reflect.Float64:
		return []uint64{math.Float64bits(v.Float())}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return []uint64{v.Uint()}
	}
	return []uint64{uint64(v.Int())}
}

func unary(op kernel.Op, s loop.Scalar, x uint64) uint64 {
	switch {
	case op == kernel.Not:
		return 1 - x
	case op == kernel.Flip:
		return wrap(s, ^x)
	case s.Float():
		return convert(-number64(s, x).(float64), s)
	}
	return wrap(s, -x)
}

// wrap keeps the bits that s has, extended to 64 as s extends them.
func wrap(s loop.Scalar, x uint64) uint64 {
	if s == loop.Bool {
		return x
	}
	if s.Signed() {
		return convert(int64(x), s)
	}
	return convert(x, s)
}

func operate(op kernel.Op, s, count loop.Scalar, x, y uint64) uint64 {
	switch {
	case op == kernel.Shl || op == kernel.Shr:
		if count.Signed() && int64(y) < 0 {
			panic("negative shift count")
		}
		return shift(op, s, x, y)
	case s.Float():
		return floats(op, s, number64(s, x).(float64), number64(s, y).(float64))
	case op.Compares():
		return compare(op, s, x, y)
	}
	return wrap(s, integers(op, s, x, y))
}

func shift(op kernel.Op, s loop.Scalar, x, y uint64) uint64 {
	switch {
	case op == kernel.Shl:
		return wrap(s, x<<y)
	case s.Signed():
		return uint64(int64(x) >> y)
	}
	return x >> y
}

func integers(op kernel.Op, s loop.Scalar, x, y uint64) uint64 {
	switch op {
	case kernel.Add:
		return x + y
	case kernel.Sub:
		return x - y
	case kernel.Mul:
		return x * y
	case kernel.And:
		return x & y
	case kernel.Or:
		return x | y
	case kernel.Xor:
		return x ^ y
	case kernel.AndNot:
		return x &^ y
	}
	switch {
	case op == kernel.Div && s.Signed():
		return uint64(int64(x) / int64(y))
	case op == kernel.Div:
		return x / y
	case s.Signed():
		return uint64(int64(x) % int64(y))
	}
	return x % y
}

func floats(op kernel.Op, s loop.Scalar, x, y float64) uint64 {
	switch op {
	case kernel.Add:
		return convert(x+y, s)
	case kernel.Sub:
		return convert(x-y, s)
	case kernel.Mul:
		return convert(x*y, s)
	case kernel.Div:
		return convert(x/y, s)
	}
	return truth(op, x == y, x < y, x > y)
}

func compare(op kernel.Op, s loop.Scalar, x, y uint64) uint64 {
	less := x < y
	if s.Signed() {
		less = int64(x) < int64(y)
	}
	return truth(op, x == y, less, !less && x != y)
}

func truth(op kernel.Op, equal, less, greater bool) uint64 {
	switch op {
	case kernel.Eq:
		return bit(equal)
	case kernel.Ne:
		return bit(!equal)
	case kernel.Lt:
		return bit(less)
	case kernel.Le:
		return bit(less || equal)
	case kernel.Gt:
		return bit(greater)
	}
	return bit(greater || equal)
}
