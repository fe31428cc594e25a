package entity

import (
	"cmp"
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
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

// NewDat returns a dat with a copy of the values of a plain type, dim for each element of the set;
// nil stands for zeros. The halo comes last.
func NewDat[T any](set *Set, dim int, values []T, name string) (*Data, error) {
	return newDat(set, dim, loop.TypeFor[T](), store.Bytes(values), name)
}

// NewZeros returns a dat of zeros.
func NewZeros(set *Set, dim int, s loop.Scalar, name string) (*Data, error) {
	return newDat(set, dim, s.Type(), nil, name)
}

func newDat(on *Set, dim int, of loop.Type, values []byte, name string) (*Data, error) {
	set, layers := on.Base()
	d := &Data{kind: loop.Dat, rt: set.rt, set: set, name: name}
	if on != set {
		d.column = on
	}
	d.site.Capture()
	if err := d.hold(dim*layers, of); err != nil {
		return nil, err
	}
	if dim < 1 {
		return nil, &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("a dim of at least 1 is needed, %d was given", dim)}
	}
	if most := store.MostBytes / d.values.size() / layers / max(1, set.Total()); dim > most {
		return nil, &problem.ShapeError{What: d.Describe(), Msg: fmt.Sprintf("a dim of at most %d is possible, %d was given", most, dim)}
	}
	d.storage = set.rt.newStorage(device.Shape{Elements: set.Total(), Dim: d.dim, Size: d.scalar.Size()})
	d.storage.Pad(d.values.layout)
	if set.rt.config.Static && values == nil {
		addWeakly(&set.rt.listed.datas, d)
		return d, nil
	}
	if values != nil {
		err := d.CheckCount(len(values) / d.values.size())
		if err == nil {
			values, err = FromDeclaredOrder(set, d.rowSize(), values)
		}
		if err != nil {
			return nil, err
		}
	}
	if values != nil || d.rt.device == nil && !set.pending {
		d.storage.Memory()
		copy(d.Bytes(), values)
		d.ClearPadding()
	}
	d.share()
	d.watch()
	set.mesh.addDat(d)
	addWeakly(&set.rt.listed.datas, d)
	return d, nil
}

// NewGlobal returns a global with a copy of the values of a plain type.
func NewGlobal[T any](rt *Runtime, values []T, name string) (*Data, error) {
	return newGlobal(rt, len(values), loop.TypeFor[T](), store.Bytes(values), name)
}

// NewScalars returns a global of n zeros.
func NewScalars(rt *Runtime, s loop.Scalar, n int, name string) (*Data, error) {
	return newGlobal(rt, n, s.Type(), nil, name)
}

func newGlobal(rt *Runtime, n int, of loop.Type, values []byte, name string) (*Data, error) {
	g := &Data{kind: loop.Global, rt: rt, name: name}
	g.site.Capture()
	if err := g.hold(n, of); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, &problem.ShapeError{What: "global " + name, Msg: "at least one value is needed"}
	}
	g.storage = store.NewStorage(device.Shape{Elements: 1, Dim: g.dim, Size: g.scalar.Size()})
	g.storage.Pad(g.values.layout)
	g.storage.Memory()
	copy(g.Bytes(), values)
	g.ClearPadding()
	g.share()
	g.watch()
	addWeakly(&rt.listed.datas, g)
	return g, nil
}

// StandIn returns a global like g that has values of its own.
func (g *Data) StandIn() *Data {
	own := *g
	own.id, own.numbers, own.handle, own.updates = 0, nil, nil, updates{}
	own.storage = store.NewStorage(g.storage.Shape())
	own.storage.Pad(g.values.layout)
	own.storage.Memory()
	own.share()
	return &own
}

// maxValues limits the number of values of a matrix: more than any machine has memory for.
const maxValues = 1 << 40

// NewMat returns a matrix of zeros: [blocks][colDim][rowDim].
func NewMat(s *Sparsity, scalar loop.Scalar, name string) (*Data, error) {
	if n := int64(s.Blocks()) * int64(s.blocks.Size()); n > maxValues {
		return nil, &problem.ShapeError{What: "mat " + name, Msg: fmt.Sprintf("%d blocks of %d × %d make %d values, at most %d are possible",
			s.Blocks(), s.blocks.Rows, s.blocks.Cols, n, int64(maxValues))}
	}
	m := &Data{kind: loop.Mat, rt: s.rt, set: s.rows, dim: s.blocks.Rows, scalar: scalar, name: name, sparsity: s}
	m.site.Capture()
	m.storage = store.NewStorage(device.Shape{Elements: s.Blocks(), Dim: s.blocks.Size(), Size: m.scalar.Size()})
	if m.rt.device == nil {
		m.storage.Memory()
	}
	m.share()
	m.watch()
	addWeakly(&s.rt.listed.datas, m)
	return m, nil
}

// newStorage returns a storage for a dat. If loops may need slots, it has room for them.
func (rt *Runtime) newStorage(shape device.Shape) *store.Storage {
	s := store.NewStorage(shape)
	if rt.config.Backend.SameBits && rt.HostThreads() > 1 {
		s.LeaveSlots()
	}
	return s
}

// View returns a dat that shows the scalars of d, a dat or a mat, on another set: there are dim of
// them for each element. Diagnostics watch the values only through d itself.
func (d *Data) View(set *Set, dim int) *Data {
	v := *d
	v.kind, v.set, v.dim, v.id, v.sparsity, v.unrolled, v.unwatched = loop.Dat, set, dim, 0, nil, nil, true
	v.values, v.numbers, v.updates = values{}, nil, updates{}
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

// NewContributions returns a dat with what the elements of a set contribute to a global, of which a program sees nothing.
// Unless it is kept, what elements add replaces what was there.
func NewContributions(g *Data, set *Set, kept bool) *Data {
	d := &Data{kind: loop.Dat, rt: set.rt, set: set, dim: g.dim, scalar: g.scalar, values: g.values, name: g.name, unwatched: true, fresh: !kept, hidden: true}
	d.storage = store.NewStorage(device.Shape{Elements: set.Total(), Dim: g.dim, Size: g.scalar.Size()})
	if !set.rt.config.Static {
		d.storage.Memory()
	}
	return d
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

// Host returns the host's values, whether or not they are valid; nil if there are none yet.
func Host[T any](d *Data) []T { return store.Values[T](d.storage) }

// Reading returns the values on the host, for reading only.
func Reading[T any](d *Data) ([]T, error) {
	if err := d.Bring(false); err != nil {
		return nil, err
	}
	return Host[T](d), nil
}

// Writing returns the values on the host, for reading and writing.
func Writing[T any](d *Data) ([]T, error) {
	if err := d.Bring(true); err != nil {
		return nil, err
	}
	return Host[T](d), nil
}

// Overwriting returns the values on the host for a caller that overwrites all of them.
func Overwriting[T any](d *Data) []T {
	d.storage.Discard()
	return Host[T](d)
}

// Bring makes the host's values valid and, for writing, the only valid ones.
func (d *Data) Bring(write bool) error { return named(d.storage.Bring(write)) }

// Zero sets all values to zero.
func (d *Data) Zero() error { return named(d.storage.Zero()) }

// named converts an error of a storage, which names the data, or of a queued call, to one of the
// library's.
func named(err error) error {
	if err != nil {
		return problem.Errorf("op2: %w", problem.Bare(err))
	}
	return nil
}

// OnDevice reports whether the device has the values, so that changing them there is preferable.
func (d *Data) OnDevice() bool { return d.storage.OnDevice() }

// Take copies the values of another dat of the same set and dim: on the device if they are valid there
// or not allocated yet.
func (d *Data) Take(from *Data) error {
	if d.SoA() != from.SoA() {
		return named(d.storage.TakeOnHost(from.storage))
	}
	return named(d.storage.Take(from.storage))
}

// Vector returns a dat as an operand of a product, with what the program has changed in declared order.
func (d *Data) Vector() backend.Vector {
	d.storage.TakeBack()
	return backend.Vector{Host: d.storage.Host(), Mirror: d.storage.Mirror(), SoA: d.SoA()}
}

// Layout returns the layout of the dat that was set; 0 if none was.
func (d *Data) Layout() tune.Layout { return d.layout }

// SetLayout sets the device's layout of the dat, for loops that are prepared from now on.
func (d *Data) SetLayout(l tune.Layout) {
	d.changeLayout(func() { d.layout = l })
	if d.numbers != nil {
		d.numbers.SetLayout(l)
	}
}

// wish is the layout that a loop wishes for.
type wish struct {
	layout tune.Layout
	by     string // "loop flux over edges"
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
	if d.SoA() != before && d.id != 0 {
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

// Bytes returns the host's values as bytes; nil if there are none.
func (d *Data) Bytes() []byte {
	if d.storage.Host() == nil {
		return nil
	}
	return unsafe.Slice((*byte)(d.storage.Host()), d.storage.Bytes())
}

// AsFloat64s returns the host's values as float64, which must not be changed; zeros if there are none.
func (d *Data) AsFloat64s() []float64 {
	if d.scalar == loop.Float64 && d.storage.Host() != nil {
		return Host[float64](d)
	}
	return d.Float64s()
}

// Float64s returns a copy of the host's values as float64; zeros if there are none.
func (d *Data) Float64s() []float64 {
	values := make([]float64, d.Elements()*d.dim)
	converts[d.scalar](values, d)
	return values
}

// Row returns the values of one element, which are these bytes, as float64.
func (d *Data) Row(bytes []byte) []float64 {
	one := *d
	one.set, one.storage = nil, store.NewStorage(device.Shape{Elements: 1, Dim: d.dim, Size: d.scalar.Size()})
	copy(unsafe.Slice((*byte)(one.storage.Memory()), len(bytes)), bytes)
	return one.Float64s()
}

var converts = [...]func(to []float64, from *Data){
	loop.Bool: convert[uint8], loop.Int8: convert[int8], loop.Int16: convert[int16], loop.Int32: convert[int32], loop.Int64: convert[int64],
	loop.Uint8: convert[uint8], loop.Uint16: convert[uint16], loop.Uint32: convert[uint32], loop.Uint64: convert[uint64],
	loop.Float32: convert[float32], loop.Float64: convert[float64],
}

func convert[T loop.Number](to []float64, from *Data) {
	for i, v := range Host[T](from) {
		to[i] = float64(v)
	}
}

// watch makes Gone report whether all views have become unreachable, of which d is the first.
func (d *Data) watch() {
	if d.rt.lazy {
		d.handle = d.storage.Watch()
	}
}

// ID returns the data's ID; 0 if none was needed so far.
func (d *Data) ID() ID { return d.id }

// Tracked returns the ID of data; 0 for nil.
func (d *Data) Tracked() ID {
	if d == nil {
		return 0
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
