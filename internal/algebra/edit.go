package algebra

import (
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/userkernel"
)

// Edits change or count a few values: conditions, liftings, diagonals. Each is a kernel that runs where the values are. A
// device runs it as a loop; the host calls its Go function for one element after another. That needs neither a compiler
// nor a plan, adds in the order of the elements, and takes matrices of any size.

// edit runs a kernel of arithmetic for the elements of a range, by which each rank edits what belongs to it. An argument
// that is a matrix passes the values at places, in equal numbers for each element. Without a range, the kernel runs for each
// of these values, and without places for all elements, of whose values it can take any number at once.
func edit(onDevice bool, operation string, over entity.Range, p *places, args ...entity.Arg) error {
	rt := args[0].Data.Runtime()
	a, err := arithmeticOf(rt, args[0].Data.Scalar())
	if err != nil {
		return err
	}
	k := a.kernel(operation, true)
	if !onDevice {
		return call(k, over, p, args)
	}
	switch {
	case p != nil:
		if over, err = p.pass(over, args); err != nil {
			return err
		}
	case over.Set == nil:
		over = args[0].Data.Set().All()
	}
	return run.ParLoop(rt, k, over, args...)
}

// fill sets values of a dat or a matrix to the one with these bytes, or to zero for nil.
func fill(onDevice bool, over entity.Range, p *places, d *entity.Data, value []byte) error {
	g, err := factor(d, value)
	if err != nil {
		return err
	}
	return edit(onDevice, "Fill", over, p, d.Write(), g.Read())
}

// factor returns a global of a dat's type that has the value with these bytes for one edit, or zero for nil.
func factor(d *entity.Data, value []byte) (*entity.Data, error) {
	a, err := arithmeticOf(d.Runtime(), d.Scalar())
	switch {
	case err != nil:
		return nil, err
	case value == nil:
		return a.zero, nil
	}
	g, err := a.parameter(d.Runtime(), 1)
	if err == nil {
		Assign(g, value...)
	}
	return g, err
}

// count returns what a kernel counts here, the last parameter of which is the counts.
func count(onDevice bool, operation string, over entity.Range, p *places, args ...entity.Arg) (n [2]int64, err error) {
	a, err := arithmeticOf(args[0].Data.Runtime(), args[0].Data.Scalar())
	if err != nil {
		return n, err
	}
	if err := a.counts.Zero(); err != nil {
		return n, err
	}
	if err := edit(onDevice, operation, over, p, append(args, a.counts.Inc())...); err != nil {
		return n, err
	}
	counts, err := entity.Reading[int64](a.counts)
	if err == nil {
		n = [2]int64(counts)
	}
	return n, err
}

// pass turns arguments that are matrices into ones that a device's loop over the range takes, which it returns.
func (p *places) pass(over entity.Range, args []entity.Arg) (entity.Range, error) {
	all, err := p.of.asNonzeros()
	if err != nil {
		return over, err
	}
	via := entity.Via{}
	switch {
	case over.Set != nil:
		if p.from == nil {
			p.from, err = entity.NewMapHere(over.Set, all.Set(), max(1, len(p.at)/max(1, over.Set.Total())), p.at, "places in "+all.Name())
		}
		via = p.from.Via()
	case p.among == nil:
		p.among, err = entity.NewSubsetHere(all.Set(), p.at, "places in "+all.Name())
	}
	if err != nil {
		return over, err
	}
	for i, arg := range args {
		if arg.Kind == loop.Mat {
			args[i] = entity.Pass(loop.Dat, arg.Access, all.Data, via)
		}
	}
	if over.Set == nil {
		over = p.among.All()
	}
	return over, nil
}

// slice is a slice as Go passes it, of any type.
type slice struct {
	first         unsafe.Pointer
	length, space int
}

// span is where the values are that an argument passes, on the host.
type span struct {
	first unsafe.Pointer
	row   int     // bytes from one element's to the next one's; 0: all have the same
	width int     // how many an element has
	to    []int32 // the element whose they are; nil: itself
	at    []int   // of places: the index of each; nil for others
}

func (s *span) slice(call, element int) slice {
	if s.to != nil {
		element = int(s.to[element])
	} else if s.at != nil {
		element = s.at[call]
	}
	return slice{unsafe.Add(s.first, element*s.row), s.width, s.width}
}

// call is edit on the host.
func call(k *userkernel.Kernel, over entity.Range, p *places, args []entity.Arg) error {
	calls, each := 1, 1 // so many, for each element
	switch {
	case over.Set == nil && p != nil:
		calls = len(p.at)
	case over.Set != nil && p != nil:
		each = max(1, len(p.at)/max(1, over.Set.Total()))
		fallthrough
	case over.Set != nil:
		calls = over.Size() * each
	}
	var spans [5]span
	for i, arg := range args {
		d := arg.Data
		if err := d.Bring(arg.Access != loop.Read); err != nil {
			return err
		}
		s := &spans[i]
		*s = span{first: d.Storage().Host(), width: d.Width(), row: d.Width() * d.Scalar().Size()}
		switch {
		case arg.Kind == loop.Mat:
			s.width, s.row, s.at = 1, d.Scalar().Size(), p.at
		case arg.Kind == loop.Global:
			s.row = 0
		case arg.Map != nil:
			s.to = arg.Map.Targets()
		case over.Set == nil:
			s.width *= d.Set().Size()
		default:
			s.width, s.row = s.width/each, s.row/each
		}
	}
	var list []int32
	if over.Subset != nil {
		list = over.Subset.List()
	}
	callEach(k.Func(), calls, list, &spans, len(args))
	return nil
}

// callEach calls a function of n slices so many times: for the elements in a list, or for the first ones without one.
func callEach(f unsafe.Pointer, calls int, list []int32, s *[5]span, n int) {
	for k := range calls {
		e := k
		if list != nil {
			e = int(list[k])
		}
		switch n {
		case 2:
			(*(*func(a, b slice))(unsafe.Pointer(&f)))(s[0].slice(k, e), s[1].slice(k, e))
		case 3:
			(*(*func(a, b, c slice))(unsafe.Pointer(&f)))(s[0].slice(k, e), s[1].slice(k, e), s[2].slice(k, e))
		case 4:
			(*(*func(a, b, c, d slice))(unsafe.Pointer(&f)))(s[0].slice(k, e), s[1].slice(k, e), s[2].slice(k, e), s[3].slice(k, e))
		case 5:
			(*(*func(a, b, c, d, e slice))(unsafe.Pointer(&f)))(s[0].slice(k, e), s[1].slice(k, e), s[2].slice(k, e), s[3].slice(k, e), s[4].slice(k, e))
		}
	}
}
