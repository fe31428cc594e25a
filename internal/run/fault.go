package run

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/fuse"
	"github.com/go-op2/op2/internal/problem"
)

// Failing returns the part of a fused loop that an error of its call was in.
func (l *Loop) Failing() int { return l.failing }

// about adds to a fault where the argument among args that it is in was declared.
func (l *Loop) about(err error, args []entity.Arg) error {
	var f *problem.FaultError
	if l.parts != nil || !errors.As(err, &f) {
		return err
	}
	a, found := entity.OfParam(args, f.Argument-1)
	if !found {
		return err
	}
	return a.About(err)
}

// fault returns the error for what ended a call; in a fused loop, that of the part that it is in.
func (l *Loop) fault(f *backend.Fault) *problem.FaultError {
	if l.parts != nil {
		there := *f
		if of, pos := fuse.Locate(f.Pos); f.Part == 0 {
			there.Part, there.Pos = of+1, l.parts[of].spec.Kernel.Place(pos.Line, pos.Col)
		}
		l.failing = there.Part - 1
		return l.parts[l.failing].fault(&there)
	}
	e := &problem.FaultError{Loop: l.name, Kernel: l.kernel.Name(), Pos: f.Pos, Msg: f.Msg, Set: l.set, Element: f.Element, Elements: f.Elements}
	if set := l.home.Value(); set != nil {
		if numbers := set.NumbersFrom(f.Element, f.Elements); len(numbers) > 0 {
			e.Element, e.Declared = numbers[0], numbers
		}
	}
	ir := l.spec.Kernel
	if ir == nil {
		return e
	}
	defer func() { e.Source = ir.Caret(e.Pos) }()
	var subscript, length int64
	n, _ := fmt.Sscanf(f.Msg, "index out of range [%d] with length %d", &subscript, &length)
	if n == 0 {
		if f.Pos.Col == 0 {
			e.Pos = ir.Operation(f.Pos, strings.Contains(f.Msg, "shift"))
		}
		return e
	}
	s := ir.Subscript(f.Pos, length)
	if s == nil {
		return e
	}
	e.Pos = s.Pos
	var of []string
	for _, i := range s.Params {
		if i = ir.Number(i); i < len(l.params) {
			of = append(of, fmt.Sprintf("argument %d (%s)", i+1, l.params[i]))
		}
	}
	switch {
	case len(of) == 1:
		e.Argument = ir.Number(s.Params[0]) + 1
	case len(of) == 0 && s.Of != "":
		of = []string{s.Of}
	}
	e.Of = strings.Join(of, " or ")
	return e
}
