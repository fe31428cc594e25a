package entity

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
)

// Layout returns the layout of the dat that was set; 0 if none was.
func (d *Data) Layout() tune.Layout { return d.layout }

// SetLayout sets the device's layout of the dat, for loops that are prepared from now on.
func (d *Data) SetLayout(l tune.Layout) {
	if d.columns != nil { // in whose order loops store the values
		d.columns.SetLayout(l)
		return
	}
	d.changeLayout(func() { d.layout = l })
	if d.numbers != nil {
		d.numbers.SetLayout(l)
	}
}

// Wish asks for a layout on behalf of a loop. It returns the layout that a loop has asked for before, and which, or else this
// one. A layout that was set counts all the same.
func (d *Data) Wish(l tune.Layout, by string) (tune.Layout, string) {
	if d.wish.layout == "" {
		d.changeLayout(func() { d.wish = wish{l, by} })
		if d.numbers != nil {
			d.numbers.Wish(l, by)
		}
	}
	if d.layout != "" {
		return l, by
	}
	return d.wish.layout, d.wish.by
}

// changeLayout drops the cached loops for which the layout then is another.
func (d *Data) changeLayout(change func()) {
	before := d.SoA()
	change()
	if d.SoA() != before && d.id != nil {
		d.rt.dropUsers(Objects{d.id: true})
	}
}

// SoA reports whether the device should store the data component by component.
func (d *Data) SoA() bool {
	if d.rt.device == nil || d.kind != loop.Dat || d.dim < 2 {
		return false
	}
	switch cmp.Or(d.layout, d.wish.layout, d.rt.config.Backend.Choices.Layout, d.learnedLayout()) {
	case tune.AoS:
		return false
	case tune.SoA:
		return true
	}
	return d.estimatedLayout() == tune.SoA
}

// estimatedLayout returns the layout of a dat for which nobody has chosen one.
func (d *Data) estimatedLayout() tune.Layout {
	return cmp.Or(d.rt.config.Start.Layout, tune.LayoutOf(d.rt.device.AutoSoA(d.dim)))
}

// learnedLayout returns what wisdom says about the dat's layout. Ranks would have to note and use the same.
func (d *Data) learnedLayout() tune.Layout {
	if d.learned == nil {
		d.learned = new(tune.Layout)
		if p, ok := d.rt.backend.(backend.Placed); ok && !d.rt.Several() && d.name != "" && !d.hidden {
			machine, _ := p.Place(backend.Spec{})
			*d.learned = d.rt.config.Tuner.Layout(tuning.Dat{Name: d.name, Set: d.set.Name(), Machine: d.rt.Name() + " on " + machine,
				Values: fmt.Sprintf("%d %v", d.dim, d.scalar), Otherwise: d.estimatedLayout()})
		}
	}
	return *d.learned
}
