package entity

import (
	"fmt"
	"weak"

	"github.com/go-op2/op2/internal/sorting"
)

// Conditions are boundary conditions of the program, which a later run finds again by a name.
type Conditions interface {
	Describe() string
	// Name returns the name that SetName gave; "" before.
	Name() string
	SetName(name string)
	// Constants returns the memory of what the program may change: constant values, and the diagonal.
	Constants() [][]byte
	// Diagonal returns the diagonal that the program has set; that of a checkpoint does not change it.
	Diagonal() float64
	// Restored is called once that memory has the values of a checkpoint.
	Restored()
}

// namedConditions are conditions that the program declared before names were final. They are not kept alive.
type namedConditions struct {
	name string
	at   func() Conditions // nil once they are unreachable
}

// DeclareConditions records conditions that the program has declared.
func DeclareConditions[T any, C interface {
	*T
	Conditions
}](rt *Runtime, c C) {
	p, name := &rt.program, c.Describe()
	if p.final {
		return
	}
	if p.conditionsOf == nil {
		p.conditionsOf = map[string]int{}
	}
	p.conditionsOf[name]++
	name = Nth(name, p.conditionsOf[name])
	at := weak.Make((*T)(c))
	p.conditions = append(swept(p.conditions, &p.conditionsAlive, func(n namedConditions) bool { return n.at() == nil }), namedConditions{name, func() Conditions {
		if x := at.Value(); x != nil {
			return C(x)
		}
		return nil
	}})
}

// Nth names the n-th, from 1, of several with the same description.
func Nth(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, n)
}

// DeclaredConditions returns the names of the conditions that the program declared before names were final, in order. Some may
// be unreachable.
func (rt *Runtime) DeclaredConditions() (names []string) {
	for _, name := range sorting.Keys(rt.program.conditionsOf) {
		for n := range rt.program.conditionsOf[name] {
			names = append(names, Nth(name, n+1))
		}
	}
	return names
}

// Conditions yields the conditions that the program declared before names were final, as far as they are reachable, by names
// of their own: "conditions on walls", "conditions on walls (2)".
func (rt *Runtime) Conditions(yield func(name string, c Conditions) bool) {
	for _, n := range rt.program.conditions {
		if c := n.at(); c != nil && !yield(n.name, c) {
			return
		}
	}
}
