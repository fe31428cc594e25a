package bind

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// operation is what an argument reduces by: as the program gave it, and prepared.
type operation struct {
	entity.Operation
	op *loop.Op
	ir *kernel.Kernel
}

// operation prepares the operation of argument i: its kernel must take two values, and depend on and
// change nothing else.
func (c *Call) operation(i int, a entity.Arg) (operation, error) {
	k, l := a.Op.Kernel, a.Data.Value()
	shape := kernel.Shape{Rows: 1, Cols: 1, Global: true, Value: a.Data.Composite()}
	shapes := []kernel.Shape{shape, shape}
	ir, err := k.Lower(nil, shapes)
	if err != nil {
		return operation{}, problem.OfLoop(c.argument(i), err)
	}
	params := ir.Entry().Params
	fits := len(params) == 2
	for _, p := range params {
		fits = fits && p.Slices == 0 && ir.Takes(p, shape, false, l.Scalar)
	}
	if !fits {
		signature := fmt.Sprintf("func %s(into, from *%s)", ir.Name, a.Data.TypeName())
		if ir.IsC() {
			signature = fmt.Sprintf("void %s(%s, const %s)", ir.Name, ir.Declaration("into", shape, false, l.Scalar), ir.Declaration("from", shape, false, l.Scalar))
		}
		return operation{}, c.misshapen(i, fmt.Sprintf("operation %s takes %s, %s holds %s", ir.Name, describeParams(ir), a.Data.Name(), a.Data.TypeName()),
			"an operation combines two values: "+signature)
	}
	if problems := c.operationProblems(ir, shapes); len(problems) > 0 {
		return operation{}, problem.OfLoop(c.argument(i), problem.OfKernel(ir.Refuse(problems)))
	}
	if _, err := k.Watch(ir, nil); err != nil {
		return operation{}, problem.OfLoop(c.argument(i), err)
	}
	op := &loop.Op{Meaning: ir.Meaning(), Identity: []byte(a.Op.Identity)}
	if op.Apply, err = k.Operation(ir, l, op.Identity); err == nil {
		err = checkIdentity(op, l)
	}
	if err != nil {
		return operation{}, c.wrong(i, fmt.Sprintf("operation %s: %v", ir.Name, err),
			"an identity changes no value that it is combined with: 0 in sums, infinity in minima")
	}
	return operation{a.Op, op, ir}, nil
}

// describeParams returns the parameters of a kernel for messages.
func describeParams(ir *kernel.Kernel) string {
	var list []string
	for _, p := range ir.Entry().Params {
		list = append(list, ir.Describe(p))
	}
	return strings.Join(list, ", ")
}

// operationProblems returns what an operation must not do.
func (c *Call) operationProblems(ir *kernel.Kernel, shapes []kernel.Shape) []kernel.Problem {
	problems := c.prints(ir)
	for _, read := range ir.Consts {
		problems = append(problems, kernel.Problem{Pos: read.Pos, Msg: fmt.Sprintf("%s is read, but an operation depends on two values alone", read.Name)})
	}
	entry := ir.Entry()
	if use := ir.Uses[1]; use.Write.Known() {
		problems = append(problems, kernel.Problem{Pos: use.Write, Msg: fmt.Sprintf("%s is written, but an operation changes its first value alone", entry.Params[1].Name)})
	}
	if !ir.Captured() {
		problems = append(problems, kernel.Problem{Pos: entry.Pos, Msg: "it holds C that cannot be translated, and operations must be",
			Hint: "write it as a kernel in Go, or without casts, unions and functions of libraries"})
	} else if ckernel.MayFail(ir) {
		problems = append(problems, kernel.Problem{Pos: entry.Pos, Msg: "it may fail on some values: by a subscript that is not known to be in range, an integer division, or a shift",
			Hint: "an operation must be defined for all values"})
	}
	return append(problems, kernel.Check(ir, []loop.Access{loop.RW, loop.RW}, shapes)...)
}

// checkIdentity returns an error if the identity of an operation on values of a layout changes itself.
func checkIdentity(op *loop.Op, l *loop.Layout) error {
	r := loop.Reduction{Access: loop.Reduce, Type: loop.Uint8, Dim: l.Size, Op: op}
	into, from := r.New(), r.New()
	r.Begin(into, nil)
	r.Begin(from, nil)
	before := describeValue(l, into)
	op.Apply(into, from)
	if after := describeValue(l, into); after != before {
		return fmt.Errorf("%s is no identity: combined with itself it becomes %s", before, after)
	}
	return nil
}

// describeValue returns the scalars of a value: "{Distance: +Inf, Cell: -1}".
func describeValue(l *loop.Layout, at unsafe.Pointer) string {
	leaves := l.Leaves()
	texts := make([]string, len(leaves))
	for i, bits := range l.Leaves().Load(at) {
		var v any = bits
		switch s := leaves[i].Scalar; {
		case s == loop.Bool:
			v = bits != 0
		case s == loop.Float64:
			v = math.Float64frombits(bits)
		case s == loop.Float32:
			v = math.Float32frombits(uint32(bits))
		case s.Signed():
			v = int64(bits)
		}
		texts[i] = fmt.Sprint(v)
		if path := strings.TrimPrefix(leaves[i].Path, "."); path != "" {
			texts[i] = path + ": " + texts[i]
		}
	}
	if l.Scalar != loop.Invalid {
		return texts[0]
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
