package fuse

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
)

// Part is one of the loops. All are over the same elements. Data, Storages, Maps and Nonzeros identify
// those of the loop: parts that share one have the same number.
type Part struct {
	Loop   *loop.Loop
	Kernel *kernel.Kernel   // analyzed
	Ops    []*kernel.Kernel // by Loop.Ops

	Data     []int
	Storages []int // where the data is: equal for data that shares its values
	Maps     []int
	Nonzeros []int
	Names    []string // of the data, for reasons
}

// Origin is where something of a fused loop comes from.
type Origin struct{ Part, Index int }

// behind returns the type and the shape of the values behind a parameter, whose first argument is a.
func (p *Part) behind(a loop.Arg, param *kernel.Var) (kernel.Type, kernel.Shape) {
	shape := kernel.ShapeOf(p.Loop, a)
	if a.Part() { // of several
		shape.Rows, shape.Cols = a.Rows, a.Cols/p.Loop.Data[a.Data].Words()
	}
	if p.Kernel.IsC() {
		return shape.Behind(param.Type), shape
	}
	return kernel.Elem(param.Type), shape
}

func (p *Part) mapOf(m int) int {
	if m == loop.Direct {
		return m
	}
	return p.Maps[m]
}

func (p *Part) name() string { return p.Loop.Kernel }

func (p *Part) nameOf(a loop.Arg) string {
	if a.Data < 0 {
		return "the number"
	}
	return p.Names[a.Data]
}

// use is how a loop uses some data.
type use struct {
	access   loop.Access // other than Read, if there is one
	indirect bool        // not just the element's own, or the layer's
	part     bool        // as a part of a parameter
}

// use returns how the loop uses data d: the access other than read, if there is one, and whether any argument
// reaches it through a map or has only a part of it.
func (p *Part) use(d int) use {
	u := use{access: loop.Read}
	for _, a := range p.Loop.Args {
		if a.Data != d {
			continue
		}
		if a.Access != loop.Read {
			u.access = a.Access
		}
		u.indirect = u.indirect || !p.own(a)
		u.part = u.part || a.Part()
	}
	return u
}

// own reports whether an argument passes what belongs to the element that runs: that of a column to its layer alone.
func (p *Part) own(a loop.Arg) bool {
	if a.Indirect() || p.Loop.Layers.Of == 0 || a.Kind != loop.Dat {
		return !a.Indirect()
	}
	levels := p.Loop.LevelsOf(a)
	return a.Levels > 0 && len(levels.First) == 1 && levels.First[0] == 0 && levels.Step == 1
}

// sets reports whether the last value that is left remains.
func sets(a loop.Access) bool { return a == loop.Read || a == loop.Write || a == loop.RW }

// contracts reports whether a compiler may fuse products and sums of the kernel in one surrounding and not
// in another: around branches, and in C, which alone is compiled as it stands.
func (p *Part) contracts() bool {
	k := p.Kernel
	return k.IsC() || !k.Rounds() && (kernel.Has[*kernel.If](k) || kernel.Has[*kernel.Switch](k) || kernel.Has[*kernel.Branch](k))
}

// sums reports whether the loop adds floats in globals or through maps, or reduces in a way of its own.
func (p *Part) sums() bool {
	return slices.ContainsFunc(p.Loop.Args, func(a loop.Arg) bool {
		return a.Access == loop.Reduce || a.Access == loop.Inc && p.Loop.Type(a).Float() && (a.Indirect() || a.Kind == loop.Global)
	})
}

// callsForms reports whether the kernel calls functions of mathematics that op2 has forms of for packs.
func (p *Part) callsForms() bool {
	return slices.ContainsFunc(kernel.All[*kernel.Math](p.Kernel), func(m *kernel.Math) bool {
		f := mathfn.Lookup(m.Name)
		return f != nil && f.Form
	})
}

// addsFloats reports whether the loop adds floats to a dat or a global.
func (p *Part) addsFloats() bool {
	return slices.ContainsFunc(p.Loop.Args, func(a loop.Arg) bool { return a.Kind != loop.Mat && a.Access == loop.Inc && p.Loop.Type(a).Float() })
}

// Fused is a fused loop, and where everything in it comes from.
type Fused struct {
	Loop   *loop.Loop
	Kernel *kernel.Kernel // analyzed
	Ops    []*kernel.Kernel

	Args, Data, Maps, Nonzeros []Origin // the first that each stands for
	// Local holds the data, by its number in the parts, that is not in memory at all.
	Local []int
	// Reordered says that increments of several elements to one value are added in another order.
	Reordered bool
	// Contracts says that a compiler may fuse a product and a sum of a kernel in the fused loop, and not in
	// the kernel's own, or the other way round.
	Contracts bool
	// Sums says that floats are added in globals or through maps, in an order that depends on how the loop is
	// split.
	Sums bool
}
