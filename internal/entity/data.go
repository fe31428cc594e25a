package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tune"
)

// Data is a view of a storage: a dat, a global or a mat.
type Data struct {
	kind    loop.Kind
	rt      *Runtime
	set     *Set // nil for a global; row set of a mat
	column  *Set // of a dat on an extruded set: that set, whose columns it has on set; otherwise nil
	dim     int  // of scalars, for each element; for a mat: rows of a block
	scalar  loop.Scalar
	values  values
	name    string
	site    callsite.Calls // where it was declared
	id      ID
	storage *store.Storage
	layout  tune.Layout  // "": as loops wish, or the runtime's option says
	learned *tune.Layout // by wisdom; nil until that is asked
	wish    wish

	sparsity  *Sparsity     // of a mat
	numbers   *Data         // of a dat: the scalars that its values are stored as; nil until they are needed
	whole     *Data         // of a component of a dat: all of it; see component.go
	component int           // which it is
	flat      *Data         // of a dat on columns: its view layer by layer; nil until matrices need it
	columns   *Data         // of such a view: the dat
	unrolled  *Data         // of a mat: the values one by one; nil until loops need it
	anyValue  bool          // of a dat: infinity and NaN are allowed
	unwatched bool          // of a view for which diagnostics do not look for them
	beside    Beside        // what a mat that the program declares has besides its values; or nil
	locates   bool          // of a dat with coordinates, by which elements may go to other ranks
	hidden    bool          // of a dat with what elements contribute to a global
	handle    *store.Handle // of the storage, with lazy evaluation
	updates   updates       // prepared exchanges of its halo
	fresh     bool          // of such a dat: what elements add replaces what was there
}

// View returns a dat that shows the scalars of d, a dat or a mat, on another set: there are dim of
// them for each element. Diagnostics watch the values only through d itself.
func (d *Data) View(set *Set, dim int) *Data {
	v := *d
	v.kind, v.set, v.dim, v.id, v.sparsity, v.unrolled, v.unwatched = loop.Dat, set, dim, nil, nil, nil, true
	v.values, v.numbers, v.flat, v.updates = values{}, nil, nil, updates{}
	if set != d.set {
		v.column = nil
	}
	return &v
}

// Numbers returns a dat that shows the scalars that the values are stored as, bools as bytes; d
// itself if its values are numbers.
func (d *Data) Numbers() *Data {
	if d.values.composite() == nil && d.scalar != loop.Bool {
		return d
	}
	if d.numbers == nil {
		d.numbers = d.View(d.set, d.dim)
		if d.scalar == loop.Bool {
			d.numbers.scalar = loop.Uint8
		}
	}
	return d.numbers
}

// Kind returns what the data is.
func (d *Data) Kind() loop.Kind { return d.kind }

// Width returns the number of scalars for each element; of rows of a block, for a mat.
func (d *Data) Width() int { return d.dim }

// Composite returns the layout of values that are not scalars; nil for those that are.
func (d *Data) Composite() *loop.Layout { return d.values.composite() }

// Hidden reports whether the program sees nothing of the data.
func (d *Data) Hidden() bool { return d.hidden }

// Locates makes the dat one that says where elements are.
func (d *Data) Locates() { d.locates = true }

// Located reports whether the dat says where elements are.
func (d *Data) Located() bool { return d.locates }

// Fresh reports whether what elements add replaces what was there.
func (d *Data) Fresh() bool { return d.fresh }

// Unwatched reports whether diagnostics do not look for infinity and NaN.
func (d *Data) Unwatched() bool { return d.unwatched }

// NonFiniteAllowed reports whether infinity and NaN are allowed.
func (d *Data) NonFiniteAllowed() bool { return d.anyValue }

// Value returns the layout of a value; nil for data that has scalars alone.
func (d *Data) Value() *loop.Layout { return d.values.layout }

// Made reports whether there is data, and it was declared.
func (d *Data) Made() bool { return d != nil && d.rt != nil }

// Runtime returns the runtime that the data belongs to.
func (d *Data) Runtime() *Runtime { return d.rt }

// Set returns the set of a dat, or of the rows of a mat; nil for a global.
func (d *Data) Set() *Set { return d.set }

// Dim returns the number of values for each element; of rows of a block, for a mat.
func (d *Data) Dim() int { return d.dim / d.values.words() }

// On returns the set that the program knows a dat on.
func (d *Data) On() *Set {
	if d.column != nil {
		return d.column
	}
	return d.set
}

// All returns the elements that arithmetic with a dat runs over: of columns that vary, and for a component, each layer that there is.
func (d *Data) All() Range {
	if d.column != nil && (d.column.bounds != nil || d.whole != nil) {
		return d.column.All()
	}
	return d.set.All()
}

// Layers returns the number of elements of On that each element of Set has: those of its column.
func (d *Data) Layers() int {
	_, layers := d.On().Base()
	return layers
}

// Scalar returns the type of the scalars that the values are stored as.
func (d *Data) Scalar() loop.Scalar { return d.scalar }

// Name returns the name the data was declared with.
func (d *Data) Name() string { return d.name }

// Storage returns what holds the values.
func (d *Data) Storage() *store.Storage { return d.storage }

// Sparsity returns the pattern of a mat; nil for other data.
func (d *Data) Sparsity() *Sparsity { return d.sparsity }

// ColDim returns the number of columns of a mat's blocks; 0 for other data.
func (d *Data) ColDim() int {
	if d.sparsity == nil {
		return 0
	}
	return d.sparsity.blocks.Cols
}

// Elements returns the number of elements of a dat's set, of blocks of a mat, or 1 for a global.
func (d *Data) Elements() int {
	switch {
	case d.sparsity != nil:
		return d.sparsity.Blocks()
	case d.set != nil:
		return d.set.Total()
	}
	return 1
}

// Describe returns a description for messages: "dat q on cells".
func (d *Data) Describe() string {
	if d.kind == loop.Dat {
		return fmt.Sprintf("dat %s on %s", d.name, d.On().name)
	}
	return d.kind.String() + " " + d.name
}

// CheckCount returns an error unless that is the number of a dat's values.
func (d *Data) CheckCount(given int) error {
	if given == d.set.declared*d.Dim() {
		return nil
	}
	layers := d.Layers()
	return &problem.ShapeError{What: d.Describe(), Msg: neededValues(d.Dim()/layers, d.set.declared*layers, d.On().name, given)}
}

// neededValues describes a mismatch between the number of values needed and given.
func neededValues(each, elements int, of string, given int) string {
	n := each * elements
	return fmt.Sprintf("%s %s needed, %d for each of %d %s; %d %s given", problem.Count(n, "value"), problem.Are(n), each, elements, of, given, problem.Were(given))
}

// share gives the backend's device access to the values, if it has one.
func (d *Data) share() {
	if rt := d.rt; rt.device != nil && !rt.config.Static {
		d.storage.Share(d.Describe(), rt.config.Backend.Poison, rt.device.Device(), rt.device.Garbage(), &rt.transfers)
		d.storage.Mirror().Record(rt.timeline)
	}
}

// watch makes Gone report whether all views have become unreachable, of which d is the first.
func (d *Data) watch() {
	if d.rt.lazy {
		d.handle = d.storage.Watch()
	}
}

// ID returns the data's ID; nil if none was needed so far.
func (d *Data) ID() ID { return d.id }

// Tracked returns the ID of data; nil for nil.
func (d *Data) Tracked() ID {
	if d == nil {
		return nil
	}
	return identify(d, int64(d.storage.Bytes()), &d.id, d.rt.unreachable)
}

// values describes the values of data as the program sees them. The zero value stands for those of
// data that has scalars alone.
type values struct {
	layout *loop.Layout
	each   int // scalars that a value is stored as
}

// words returns the number of scalars that a value is stored as.
func (v values) words() int { return max(1, v.each) }

// size returns the size of a value in bytes, which it must have a layout for.
func (v values) size() int { return v.layout.Size }

// composite returns the layout of values that are not scalars; nil for those that are.
func (v values) composite() *loop.Layout {
	if v.layout == nil || v.layout.Scalar != loop.Invalid {
		return nil
	}
	return v.layout
}

// rowSize returns the size of a dat's values for an element in bytes.
func (d *Data) rowSize() int { return d.dim * d.scalar.Size() }

// updates are the prepared exchanges of a dat's halo.
type updates struct {
	forward map[int]*exchange.Update // by the prefix that is valid
	reverse *exchange.Update
}

// Besides returns the name of data for a message that also names other data, with where it was declared if their names
// are equal.
func (d *Data) Besides(other *Data) string {
	if at := d.site.Site().At; d.name == other.name && d != other && at != "" {
		return fmt.Sprintf("%s (declared at %s)", d.name, at)
	}
	return d.name
}

// Beside is what is kept for a matrix besides its values: what conditions took out of it, and the last right-hand sides that they
// were applied to. It goes with rows that move to other ranks, and into checkpoints.
type Beside interface {
	// Leave returns matrices of the same pattern with it. It is collective.
	Leave() ([]*Data, error)
	// Arrive takes it back, once all else has moved: the matrices have the rows that are here now.
	Arrive([]*Data) error

	// Unsaved says what a checkpoint of the values would lack; "" if nothing.
	Unsaved() string
	// Kept returns what a checkpoint has of it, given whether it has the values of the matrix.
	Kept(values bool) ([]Kept, error)
	// Restored is called once the values are those of a checkpoint.
	Restored()
	// Restore takes back what Kept returned in another run, and fills its units by fetch, given how many each row here has.
	// It is collective.
	Restore(k Kept, by Conditions, fetch func(lengths []int32, units []byte) error) error
}

// Kept is something that is kept for the rows of a matrix on behalf of conditions: units of some bytes for each row.
type Kept struct {
	By       string // the name of the conditions
	Role     string // what it is, among all that is kept on behalf of these conditions
	Scale    []byte // on the diagonal
	OfValues bool   // it goes with the values of the matrix
	Replaced bool   // some of these may have been set since
	Size     int    // of a unit in bytes

	Lengths []int32 // the units of each row here
	Units   []byte  // those of a row in an order that does not depend on the distribution
}

// KeepBeside makes what is kept for a matrix go with its rows.
func (d *Data) KeepBeside(b Beside) { d.beside = b }

// Beside returns what is kept for a matrix; nil if there is nothing.
func (d *Data) Beside() Beside { return d.beside }

// wish is the layout that a loop wishes for.
type wish struct {
	layout tune.Layout
	by     string // "loop flux over edges"
}
