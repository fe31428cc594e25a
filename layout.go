package op2

import "github.com/go-op2/op2/internal/tune"

// Layout is the order in which a device stores the values of a dat. On the host they are always
// stored element by element.
type Layout uint8

// The layouts. They differ for dats with a dim of 2 or more.
const (
	AoS = Layout(tune.AoS) // element by element
	SoA = Layout(tune.SoA) // component by component: the first values of all elements, and so on
)

// SetLayout sets the device's layout of the dat, overriding the runtime's [WithLayout]. A [Loop]
// that has already been prepared keeps the previous layout: if it alternates with others, the
// values go to the host and back. On other backends it has no effect.
func (d *Dat[T]) SetLayout(l Layout) {
	if d.made() != nil {
		return
	}
	d.rt().MustEnter()
	defer d.leave()
	d.data().SetLayout(tune.Layout(l))
}
