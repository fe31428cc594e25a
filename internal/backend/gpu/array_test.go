package gpu

import (
	"slices"
	"testing"
	"unsafe"
	"weak"

	"github.com/go-op2/op2/internal/device/pretend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// The device has one array of the local numbers of data that are reached in the same ways, by whichever loop that has
// the plan, and colors of a byte each.
func TestSharedArrays(t *testing.T) {
	d := &pretend.Device{}
	e := &engine{device: d, arrays: map[arrayKey]weak.Pointer[array]{}}
	arg := func(d, component int) loop.Arg {
		return loop.Arg{Kind: loop.Dat, Data: d, Map: 0, Component: component}
	}
	stagingOf := func(args ...loop.Arg) *staging {
		l := &loop.Loop{Args: args, Data: []loop.Data{{Kind: loop.Dat}, {Kind: loop.Dat}}, Maps: []loop.Map{{Arity: 2}}}
		in := &plan.Input{Last: 3, BlockSize: 2, ElementColors: true, Data: make([]plan.Data, 2),
			Maps: []plan.Map{{Arity: 2, Targets: 4, Values: []int32{0, 1, 1, 2, 2, 3}}}}
		for _, a := range args {
			data := &in.Data[a.Data]
			data.Stage, data.Collides = true, true
			data.Refs = append(data.Refs, plan.Ref{Component: a.Component})
		}
		return &staging{loop: l, in: in}
	}
	one := stagingOf(arg(0, 0), arg(0, 1), arg(1, loop.All))
	other := stagingOf(arg(0, 1), arg(0, 0), arg(1, 1), arg(1, 0))
	p, err := plan.Build(one.in)
	if err != nil {
		t.Fatal(err)
	}
	one.plan, other.plan = p, p
	var all []*array
	for _, s := range []*staging{one, other} {
		for data := range 2 {
			a, err := s.local(e, data)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, a)
		}
	}
	colors, err := e.bytes(p.ElementColors)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(all, func(a *array) bool { return a != all[0] }) || d.Uploads != 2 {
		t.Fatalf("%d uploads, of the arrays %v", d.Uploads, all)
	}
	if got, want := unsafe.Slice((*uint16)(d.Memory(all[0].buffer)), 6), []uint16{0, 1, 0, 1, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("the local numbers are %v, want %v", got, want)
	}
	if got, want := unsafe.Slice((*uint8)(d.Memory(colors.buffer)), 3), []uint8{0, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("the colors are %v, want %v", got, want)
	}
}
