package gofunc

import "unsafe"

// place is where an argument's values are. Those of element e are at base, e rows of size bytes
// further, or as many rows as its targets say.
type place struct {
	base P
	size uintptr // of a row, in bytes

	targets P       // the map's first value, of the component if it is a single one; nil if direct
	arity   uintptr // bytes from one element's targets to the next element's
	step    uintptr // bytes from the target of one row to that of the next
	rows    int     // per element
	varying bool    // rows end where targets are negative
	some    bool    // of the values of a row, some alone
	length  int     // of the slice that shows them

	level, rise uintptr // bytes from a column's values to those of layer 0, and from there to those of the next layer
}

// at returns the address for element e.
func (p *place) at(e uintptr) P {
	if p.targets != nil {
		e = uintptr(*(*int32)(add(p.targets, e*p.arity)))
	}
	return add(p.base, e*p.size)
}

// row returns the address of a row for element e.
func (p *place) row(e uintptr, row int) P {
	if p.targets != nil {
		e = uintptr(*(*int32)(add(p.targets, e*p.arity+uintptr(row)*p.step)))
	}
	return add(p.base, e*p.size)
}

// gap reports whether a row leads nowhere, as at the end of shorter ones.
func (p *place) gap(e uintptr, row int) bool {
	return p.varying && *(*int32)(add(p.targets, e*p.arity+uintptr(row)*p.step)) < 0
}

// atLayer returns the address of a column's values for a layer.
func (p *place) atLayer(e, layer uintptr) P {
	return add(p.at(e), p.level+layer*p.rise)
}

// columns returns the columns that a map leads column e to; nil if the place is in its own.
func (p *place) columns(e int) []int32 {
	if p.targets == nil {
		return nil
	}
	return unsafe.Slice((*int32)(add(p.targets, uintptr(e)*p.arity)), p.rows)
}

// header is a slice as functions take it.
type header struct {
	values   P
	len, cap int
}

// slice returns the slice of the values for element e.
func (p *place) slice(e uintptr) header { return header{p.at(e), p.length, p.length} }
