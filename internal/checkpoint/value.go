package checkpoint

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/sorting"
)

// value is one of the program's own.
type value struct {
	name, form string
	memory     []byte
}

// Keep makes checkpoints have the value of a plain type that a pointer leads to.
func Keep(rt *entity.Runtime, name string, pointer any) error {
	k, what := of(rt), "op2: Keep: "+name
	if k.reached {
		return fmt.Errorf("%s: the first Checkpoint has been already\n  hint: call Keep before", what)
	}
	for _, v := range k.values {
		if v.name == name {
			return fmt.Errorf("%s: there is a value of that name already", what)
		}
	}
	p := reflect.ValueOf(pointer)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fmt.Errorf("%s: a pointer to the value is needed, %T was given", what, pointer)
	}
	l, err := loop.LayoutFor(pointer)
	if err != nil {
		return &problem.ShapeError{What: "kept " + name, Msg: err.Error()}
	}
	k.values = append(k.values, value{name, entity.FormOf(l, loop.Invalid), unsafe.Slice((*byte)(p.UnsafePointer()), l.Size)})
	return nil
}

// all returns the memory of consts and of the program's own values, by name: ranks may keep theirs in any order.
func (k *keeper) all() []value {
	var all []value
	for _, c := range k.rt.Consts() {
		all = append(all, value{"const " + c.Name, c.Form, c.Memory})
	}
	for _, v := range k.values {
		all = append(all, value{"kept " + v.name, v.form, v.memory})
	}
	sorting.By(all, func(a, b value) int { return cmp.Compare(a.name, b.name) })
	return all
}

// collect returns the values of consts, of the program's own, and of globals. The error says which of them differs
// between the ranks. It is collective.
func (k *keeper) collect(globals []candidate) ([]snapshot.Value, error) {
	var values []snapshot.Value
	for _, v := range k.all() {
		values = append(values, snapshot.Value{Name: v.name, Form: v.form, Bytes: bytes.Clone(v.memory)})
	}
	for _, e := range globals {
		g := e.data
		if err := g.Bring(false); err != nil {
			return nil, err
		}
		values = append(values, snapshot.Value{Name: e.Name, Nth: e.Nth, Form: e.Shape, Bytes: bytes.Clone(g.Bytes())})
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprintf("%s is %x in memory", v.Name, v.Bytes)
	}
	var joined []byte
	for _, t := range texts {
		joined = append(append(joined, t...), '\n')
	}
	same, err := k.rt.SameOnAll(string(joined))
	if same || err != nil {
		return values, err
	}
	text, err := k.rt.Differences(texts, entity.RankTexts.First)
	if err != nil {
		return nil, err
	}
	return nil, entity.OnAll(fmt.Errorf("op2: Checkpoint: values differ between the ranks: %s\n  hint: globals, consts and what Keep is given are the same on all", text))
}
