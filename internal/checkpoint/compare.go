package checkpoint

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/sorting"
)

// compare returns an error that names what differs between what the program has declared and what the index has.
func compare(rt *entity.Runtime, values []value, x *snapshot.Index) error {
	own := names(rt)
	for _, v := range values {
		own[v.name] = []snapshot.Shape{{Shape: v.form, Count: 1}}
	}
	saved := map[string][]snapshot.Shape{}
	for name, list := range x.Names {
		saved[name] = list
	}
	for _, v := range x.Values {
		if _, is := saved[v.Name]; !is {
			saved[v.Name] = []snapshot.Shape{{Shape: v.Form, Count: 1}}
		}
	}
	for _, name := range sorting.Keys(saved) {
		if own[name] == nil {
			return fmt.Errorf("it has %s, which the program has not declared", name)
		}
		if there, here := describe(saved[name]), describe(own[name]); there != here {
			return fmt.Errorf("it has %s with %s, the program with %s", name, there, here)
		}
	}
	for _, name := range sorting.Keys(own) {
		if saved[name] == nil {
			return fmt.Errorf("the program has %s, which it has not", name)
		}
	}
	return nil
}

// describe describes the shapes of data of one name.
func describe(list []snapshot.Shape) string {
	var parts []string
	for _, s := range list {
		text := s.Shape
		if s.Count > 1 {
			text += fmt.Sprintf(" (%d times)", s.Count)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// names returns the names of all that the program has declared, with their shapes.
func names(rt *entity.Runtime) map[string][]snapshot.Shape {
	all := map[string][]snapshot.Shape{}
	for name, list := range rt.Program().Shapes() {
		for _, s := range list {
			all[name] = append(all[name], snapshot.Shape(s))
		}
	}
	return all
}
