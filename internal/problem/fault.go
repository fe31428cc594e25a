package problem

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// FaultError reports a kernel that failed while it ran, for example by dividing an integer by zero:
// what panics in Go. What the loop writes is then partly written.
type FaultError struct {
	Loop   string // "loop resCalc over edges"
	Kernel string
	Pos    kernel.Pos
	Msg    string // "index out of range [5] with length 4"

	// Of is what an out-of-range subscript indexes: "argument 2 (q, read)", or "table" for
	// something that is not an argument. Argument is its number, from 1; 0 if it is none, or
	// unknown.
	Of       string
	Argument int

	// The kernel was called for Element of Set, or for one of the Elements from there on, which ran
	// together. Elements is 0 if unknown. Declared has the declared numbers of all of them, Element the
	// first one, where they are not those from Element on.
	Set      string
	Element  int
	Elements int
	Declared []int

	// Source is the line of a C kernel in which it failed, with a caret below the place, ready to be printed; "" if unknown.
	Source string
}

func (e *FaultError) Error() string {
	s := "op2: " + e.Loop + ": "
	if e.Pos.Known() {
		s += e.Pos.String() + ": "
	}
	s += e.Msg
	var where []string
	if e.Of != "" {
		where = append(where, e.Of)
	}
	switch {
	case len(e.Declared) > 1:
		numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Declared), " ", ", "), "[]")
		where = append(where, fmt.Sprintf("one of the elements %s of %s", numbers, e.Set))
	case e.Elements == 1:
		where = append(where, fmt.Sprintf("element %d of %s", e.Element, e.Set))
	case e.Elements > 1:
		where = append(where, fmt.Sprintf("one of the elements %d to %d of %s", e.Element, e.Element+e.Elements-1, e.Set))
	}
	if len(where) > 0 {
		s += ": " + strings.Join(where, ", ")
	}
	return s + e.Source
}
