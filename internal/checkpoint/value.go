package checkpoint

import (
	"bytes"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/snapshot"
)

// value is one of the program's own.
type value struct {
	name, form string
	memory     []byte
	optional   bool // another run may lack it
}

// valueAt returns the value of a plain type that a pointer of the program leads to.
func valueAt(name string, pointer any) (value, error) {
	p := reflect.ValueOf(pointer)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return value{}, fmt.Errorf("op2: Keep: %s: a pointer to the value is needed, %T was given", name, pointer)
	}
	l, err := loop.LayoutFor(pointer)
	if err != nil {
		return value{}, &problem.ShapeError{What: "kept " + name, Msg: err.Error()}
	}
	return value{name: name, form: entity.FormOf(l, loop.Invalid), memory: unsafe.Slice((*byte)(p.UnsafePointer()), l.Size)}, nil
}

// collect returns the program's own values, those of consts, and those of globals. The error says which of them differs
// between the ranks. It is collective.
func collect(rt *entity.Runtime, own []value, globals []candidate) ([]snapshot.Value, error) {
	var values []snapshot.Value
	for _, v := range own {
		values = append(values, snapshot.Value{Name: v.name, Form: v.form, Bytes: bytes.Clone(v.memory), Optional: v.optional})
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
	same, err := rt.SameOnAll(string(joined))
	if same || err != nil {
		return values, err
	}
	text, err := rt.Differences(texts, entity.RankTexts.First)
	if err != nil {
		return nil, err
	}
	return nil, entity.OnAll(fmt.Errorf("op2: Checkpoint: values differ between the ranks: %s\n  hint: globals, consts and what Keep is given are the same on all", text))
}
