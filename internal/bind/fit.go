package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// fitted is a call whose kernel fits it: with the operations of its reductions, and the consts that the kernel reads.
type fitted struct {
	lowered
	operations []operation
	consts     []userkernel.Const
}

// fit checks that a kernel fits its arguments: their types, their operations, their accesses and the consts.
func fit(l lowered) (f fitted, err error) {
	if err := l.parameters(); err != nil {
		return f, err
	}
	if f, err = combine(l); err != nil {
		return f, err
	}
	if err := l.stack(); err != nil {
		return f, err
	}
	for _, c := range l.Kernel.Consts {
		if err := l.Runtime.ConstFailed(l.What, c.Name); err != nil {
			return f, err
		}
	}
	consts, problems := l.Runtime.BindConsts(l.Kernel)
	problems = slices.Concat(problems, l.prints(l.Kernel), kernel.Check(l.Kernel, l.accesses(), l.shapes()))
	if len(problems) > 0 {
		return f, problem.OfLoop(l.What, problem.OfKernel(l.Kernel.Refuse(problems)))
	}
	f.consts = consts
	return f, nil
}

// accesses returns the access of each parameter.
func (d *described) accesses() []loop.Access {
	accesses := make([]loop.Access, d.Loop.Params())
	for i, a := range d.Args {
		accesses[d.Loop.Param(i)] = a.Access
	}
	return accesses
}

// parameters checks the number and types of the kernel's parameters.
func (l *lowered) parameters() error {
	ir := l.Kernel
	params := ir.Entry().Params
	if err := l.rows(params); err != nil {
		return err
	}
	if given := l.arguments(); len(ir.Params()) != given {
		return &problem.ShapeError{What: l.What, Msg: fmt.Sprintf("the kernel takes %s, %d %s given", problem.Count(len(ir.Params()), "argument"), given, problem.Were(given)), Hint: l.unmatched()}
	}
	switch {
	case len(ir.Params()) == 0:
		return &problem.ShapeError{What: l.What, Msg: "the kernel takes no arguments, and so has no effect"}
	case len(params) == 0:
		return &problem.ShapeError{What: l.What, Msg: "all arguments are left out: the loop has no effect"}
	}
	if err := l.missing(); err != nil {
		return err
	}
	shapes := l.shapes()
	for i, a := range l.Loop.Args {
		if a.Next {
			continue
		}
		shape := shapes[l.Loop.Param(i)]
		wholeMap := a.WholeMap() && (!a.Part() || a.Kind == loop.Mat)
		param := params[l.Loop.Param(i)]
		scalar := scalarOf(l.Loop, a, ir, param)
		if ir.Takes(param, shape, wholeMap, scalar) {
			continue
		}
		declaration := ir.Declaration(param.Name, shape, wholeMap, scalar)
		switch {
		case a.Kind == loop.Index && !ir.IsC():
			declaration = "*int"
		case param.Slices > 0:
			declaration = ir.SliceDeclaration(shape, wholeMap, scalar)
		case wholeMap && a.Kind == loop.Dat && l.Loop.Arity(a) == 1:
			declaration = ir.Declaration(param.Name, shape, false, scalar)
		}
		hint := fmt.Sprintf("declare the parameter in %s as %s", param.Pos, declaration)
		if wholeMap && a.Kind == loop.Dat && ir.TakesTarget(param, shape, scalar) {
			hint += fmt.Sprintf(", or pass one target: %s.At(0)", l.Args[i].Way())
		}
		if of := l.Args[i]; a.Kind == loop.Dat && a.Levels == 0 && of.Data.On().Extruded() { // whole columns
			switch {
			case l.Over.Layers.Of != nil:
				hint += ", or pass it through a map that NewExtrudedMap makes"
			case of.Map == nil:
				hint += ", or run over the layers of " + of.Data.On().Name()
			}
		}
		takes := fmt.Sprintf("the kernel takes %s, ", ir.Describe(param))
		if a.Part() {
			if a.Kind == loop.Dat && !ir.IsC() {
				hint += ", or as a struct with a field for each part"
			}
			return l.Args[i].About(&problem.ShapeError{What: l.mixedArgument(i), Msg: takes + l.holdsParts(i, shape) + ir.Caret(param.Pos), Hint: hint})
		}
		return l.misshapen(i, takes+l.holds(i)+ir.Caret(param.Pos), hint)
	}
	return nil
}

// scalarOf returns the type of the scalars of argument a for a parameter: a kernel in C may take numbers of elements as int32.
func scalarOf(l *loop.Loop, a loop.Arg, ir *kernel.Kernel, param *kernel.Var) loop.Scalar {
	if a.Kind == loop.Index && ir.IsC() && kernel.Leaf(param.Type) == loop.Int32 {
		return loop.Int32
	}
	return l.Type(a)
}

// missing checks the types of the parameters whose arguments are left out.
func (l *lowered) missing() error {
	for i, p := range l.Kernel.LeftOut {
		a := l.Missing[i]
		if a.LeftOut.Unknown() {
			continue
		}
		d := describe(l.alone(*a.LeftOut, p.At), "")
		if of := d.Loop.Args[0]; !l.Kernel.TakesMissing(p.Var, d.shapes()[0], of.WholeMap(), scalarOf(d.Loop, of, l.Kernel, p.Var)) {
			one := lowered{described: d, Kernel: l.Kernel}
			return one.misshapen(0, fmt.Sprintf("the kernel takes %s, %s", l.Kernel.Describe(p.Var), one.holds(0))+l.Kernel.Caret(p.Var.Pos), "its type must fit when the argument is left out, too")
		}
	}
	return nil
}

// arguments returns the number of arguments for the parameters that the kernel's source has: in Go, lengths of rows are not among them.
func (l *lowered) arguments() int {
	n := l.Loop.Params() + len(l.Missing)
	if !l.Kernel.IsC() {
		for _, a := range l.Loop.Args {
			if a.Counts > 0 {
				n--
			}
		}
	}
	return n
}

// rows checks that parameters for rows of different lengths can take them.
func (l *lowered) rows(params []*kernel.Var) error {
	for i, a := range l.Loop.Args {
		if !l.Loop.Varies(a) && !(a.Kind == loop.Mat && l.Loop.Maps[a.ColMap].Varying) {
			continue
		}
		if a.Part() {
			return l.misshapen(i, "the lengths of rows vary, which mixed arguments do not take", "pass the parts as arguments of their own")
		}
		if d := l.Loop.Data[a.Data]; a.Kind == loop.Mat && d.Dim*d.ColDim > 1 {
			return l.misshapen(i, "the lengths of rows vary, the mat has blocks", "unroll the blocks: declare maps to single rows and columns")
		}
		if p := l.Loop.Param(i); !l.Kernel.IsC() && p < len(params) && !varies(params[p]) {
			return l.misshapen(i, fmt.Sprintf("the kernel takes %s, the lengths of rows vary", l.Kernel.Describe(params[p])), fmt.Sprintf("declare the parameter in %s as %s", params[p].Pos, l.Kernel.SliceDeclaration(kernel.ShapeOf(l.Loop, a), a.WholeMap(), l.Loop.Type(a))))
		}
	}
	return nil
}

// varies reports whether parameter v is a slice whose length varies, or the lengths of whose rows do.
func varies(v *kernel.Var) bool {
	rows, ok := kernel.Elem(v.Type).(*kernel.Array)
	if !ok || v.Slices == 0 {
		return false
	}
	cols, ok := rows.Elem.(*kernel.Array)
	return rows.Count > 0 || ok && cols.Count > 0
}

// unmatched names the kernel's parameters, and the first parameter or argument that has no counterpart.
func (l *lowered) unmatched() string {
	ir := l.Kernel
	entry, params := ir.Entry(), ir.Params()
	if len(params) == 0 {
		return ""
	}
	var list []string
	for _, p := range params {
		list = append(list, ir.Declared(p))
	}
	hint := fmt.Sprintf("%s takes %s, in %s: ", entry.Name, strings.Join(list, ", "), entry.Pos)
	if given := l.arguments(); given < len(list) {
		return hint + "no argument is left for " + params[given].Name
	}
	for i, a := range l.Args {
		if l.ordinal(i) == len(list)+1 {
			return hint + fmt.Sprintf("no parameter is left for argument %d (%s)", l.ordinal(i), a)
		}
	}
	return ""
}

// mixedArgument returns the name of the mixed argument that argument i is a part of, for messages.
func (l *lowered) mixedArgument(i int) string {
	n := l.ordinal(i)
	a, _ := entity.OfParam(slices.Concat(l.Args, l.Missing), n-1)
	return fmt.Sprintf("%s: argument %d (%s)", l.What, n, a)
}

// holdsParts describes the values of a parameter of parts, of which argument i is the first.
func (l *lowered) holdsParts(i int, shape kernel.Shape) string {
	var parts []string
	for j := i; len(parts) < len(shape.Parts); j++ {
		parts = append(parts, l.holds(j))
	}
	what := problem.Count(shape.Cols, "value")
	if shape.Matrix {
		what = fmt.Sprintf("a local matrix of %d by %d", shape.Rows, shape.Cols)
	}
	return strings.Join(parts, "; ") + ": together " + what
}

// holds describes the values of argument i.
func (l *lowered) holds(i int) string {
	a, d := l.Args[i], l.Loop.Args[i]
	if a.Kind == loop.Index {
		return "the number is an int"
	}
	if a.Kind == loop.Mat {
		return l.holdsMat(i)
	}
	dim, on := a.Data.Dim(), a.Data.Set()
	if d.Levels > 0 {
		dim, on = dim/a.Data.Layers(), a.Data.On()
	}
	s := fmt.Sprintf("%s holds %d %s", a.Data.Name(), dim, a.Data.TypeName())
	switch {
	case a.Kind == loop.Global:
		return s
	case d.Levels == 0 && a.Data.Layers() > 1:
		s += fmt.Sprintf(" in each column of %s", a.Data.On().Name())
	default:
		s += " for each of " + on.Name()
	}
	if d.WholeMap() {
		s += fmt.Sprintf(", %s leads to %d of them", a.Way(), l.Loop.Arity(d))
	}
	return s
}

// holdsMat describes the values of argument i, a mat.
func (l *lowered) holdsMat(i int) string {
	a := l.Args[i]
	rows, cols := l.Loop.Local(l.Loop.Args[i])
	return fmt.Sprintf("%s is a mat of %s in blocks of %d by %d, of which %s by %s make %d by %d, a local matrix of %d by %d",
		a.Data.Name(), a.Data.Scalar(), a.Data.Width(), a.Data.ColDim(), a.Map.Name(), a.Cols.Name(), a.Map.Arity(), a.Cols.Arity(), rows, cols)
}

// combine prepares the operations of the arguments that reduce by one, and adds them to the description.
func combine(l lowered) (fitted, error) {
	f := fitted{lowered: l}
	description := *l.Loop
	description.Args, f.Loop = slices.Clone(description.Args), &description
	for i, a := range l.Args {
		if a.Access != loop.Reduce {
			continue
		}
		at := slices.IndexFunc(f.operations, func(o operation) bool { return o.Operation == a.Op })
		if at < 0 {
			o, err := l.operation(i, a)
			if err != nil {
				return fitted{}, err
			}
			at, f.operations = len(f.operations), append(f.operations, o)
			description.Ops = append(description.Ops, o.op)
		}
		description.Args[i].Op = at
	}
	return f, nil
}
