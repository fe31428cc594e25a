package language_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// The generator writes Go files of random kernels for FuzzTranslate. What they do is
// defined by the language, so that Go and C must agree on every bit: where it is not,
// as for the order in which a variable is read and a call changes it, or for a float
// that an integer cannot hold, the generator keeps clear of it.

// goType is a type of generated code.
type goType struct {
	name   string
	class  class
	bits   int
	elem   *goType // of an array
	len    int
	fields []*goType // of a struct, called F0, F1, ...
}

type class int

const (
	signed class = iota
	unsigned
	float
	boolean
	array
	structure
)

func (t *goType) integer() bool { return t.class == signed || t.class == unsigned }
func (t *goType) scalar() bool  { return t.class <= boolean }

var (
	typeInt64   = &goType{name: "int64", class: signed, bits: 64}
	typeFloat32 = &goType{name: "float32", class: float, bits: 32}
	typeFloat64 = &goType{name: "float64", class: float, bits: 64}
	typeBool    = &goType{name: "bool", class: boolean}

	integers = []*goType{
		{name: "int8", class: signed, bits: 8}, {name: "int16", class: signed, bits: 16},
		{name: "int32", class: signed, bits: 32}, typeInt64, {name: "int", class: signed, bits: 64},
		{name: "uint8", class: unsigned, bits: 8}, {name: "uint16", class: unsigned, bits: 16},
		{name: "uint32", class: unsigned, bits: 32}, {name: "uint64", class: unsigned, bits: 64},
		{name: "uint", class: unsigned, bits: 64},
	}
	scalars = append(slices.Clone(integers), typeFloat32, typeFloat64, typeFloat64, typeBool)

	narrowIntegers = []*goType{integers[0], integers[1], integers[2], integers[2], integers[5], integers[6], integers[7]}
	narrowScalars  = append(slices.Clone(narrowIntegers), typeFloat32, typeFloat32, typeFloat32, typeBool)
)

// variable is a variable visible to generated code.
type variable struct {
	name    string
	typ     *goType
	pointer bool
	fixed   bool // not to be assigned: a counter, or a const
}

// helperFunc is a generated function that kernels call.
type helperFunc struct {
	name    string
	params  []variable
	results []*goType
	impure  bool // its first parameter is a pointer through which it writes
	loops   bool
}

// hazard is the one kind of fault that a statement may lead to. Were there two, it
// would be undefined which comes first.
type hazard int

const (
	noHazard hazard = iota
	divideHazard
	indexHazard
	shiftHazard
)

type generator struct {
	*rand.Rand
	out     strings.Builder
	indent  int
	structs []*goType
	in      *goType // what every other kernel takes for x, and returns two of in y
	result  *goType
	helpers []*helperFunc

	vars     []*variable
	block    int // index into vars where the current block starts
	names    int
	labels   int
	depth    int // of statements
	loops    int // around the current statement
	inHelper *helperFunc
	onDevice bool // without faults, with math functions of constants
	packs    bool // only what can run on packs of elements
	narrow   bool // and of that, only what has four bytes or fewer
	faulty   bool // whether faults may happen in the current function
	used     map[string]bool
	targets  []loopTarget

	// Of the current statement:
	hazard   hazard
	excluded map[*variable]bool // calls change them, so that they must not be read
	state    []*variable        // those of excluded that calls may change
}

type loopTarget struct {
	label  string
	isLoop bool
}

// prelude is what all generated files have: consts, and conversions that are defined
// for every float.
const prelude = `
var (
	constF = 1.25
	constI = int32(-7)
	constA = [4]float64{0.5, -2, 1e10, 3}
	constU = [2][2]uint8{{1, 200}, {255, 0}}
)

func large(x float64) float64 { return x }

func two(x uint64) uint64 { return x }

func finite(x float64) float64 {
	if x != x {
		return 0.25
	}
	return x
}

func toSigned(x float64) int64 {
	if x > -9e18 && x < 9e18 {
		return int64(x)
	}
	return -3
}

func toUnsigned(x float64) uint64 {
	if x > -1 && x < 1.8e19 {
		return uint64(x)
	}
	return 3
}

func toInt8(x float64) int8 {
	if x > -129 && x < 128 {
		return int8(x)
	}
	return 5
}

func finite32(x float32) float32 {
	if x != x {
		return 0.25
	}
	return x
}

func toUint32(x float32) uint32 {
	if x > -1 && x < 4e9 {
		return uint32(x)
	}
	return 7
}
`

// generate writes a file of n kernels, k0, k1 and so on,
//
//	func k0(a *[6]int64, x *[6]float64, r *[8]int64, y *[8]float64)
//
// of which every other one takes structs of floats, x *in and y *[2]out. On a device, each calls others like it. With packs, they do only
// what packs of elements can; every other file then has kernels that take int32 and float32.
func generate(seed uint64, n int, packs, onDevice bool) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), packs: packs, onDevice: onDevice, narrow: packs && narrowSeed(seed)}
	g.line("package main")
	g.line("")
	g.line(`import "math"`)
	g.line("")
	g.line("var _ = math.Pi")
	g.out.WriteString(prelude)
	f := g.float()
	pair := g.declareStruct("pair", f, f)
	g.in = g.declareStruct("in", f, arrayOf(f, 2), pair, f)
	g.result = g.declareStruct("out", arrayOf(f, 2), pair)
	for range 3 {
		g.structType()
	}
	for range 8 {
		g.helper()
	}
	for i := range n {
		if onDevice {
			g.parts(i)
		} else {
			g.kernel(fmt.Sprintf("k%d", i), i%2 == 1)
		}
	}
	return g.out.String()
}

func (g *generator) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	g.out.WriteString(strings.Repeat("\t", g.indent) + format + "\n")
}

// chance returns true in one of n cases.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// Types.

func (g *generator) structType() {
	var fields []*goType
	for range 1 + g.IntN(4) {
		f := g.scalar()
		switch {
		case g.chance(4):
			f = arrayOf(f, 2+g.IntN(3))
		case g.chance(5):
			f = pick(g, g.structs)
		}
		fields = append(fields, f)
	}
	g.declareStruct(fmt.Sprintf("s%d", len(g.structs)), fields...)
}

func (g *generator) declareStruct(name string, fields ...*goType) *goType {
	t := &goType{name: name, class: structure, fields: fields}
	g.line("")
	g.line("type %s struct {", name)
	for i, f := range fields {
		g.line("\tF%d %s", i, f.name)
	}
	g.line("}")
	g.structs = append(g.structs, t)
	return t
}

func arrayOf(elem *goType, n int) *goType {
	return &goType{name: fmt.Sprintf("[%d]%s", n, elem.name), class: array, elem: elem, len: n}
}

// anyType returns a scalar more often than not.
func (g *generator) anyType() *goType {
	switch g.IntN(8) {
	case 0:
		return pick(g, g.structs)
	case 1:
		return arrayOf(g.scalar(), 1+g.IntN(4))
	case 2:
		if g.chance(2) {
			return arrayOf(pick(g, g.structs), 2)
		}
		return arrayOf(arrayOf(g.scalar(), 1+g.IntN(3)), 2)
	}
	return g.scalar()
}

func (g *generator) scalar() *goType {
	if g.narrow {
		return pick(g, narrowScalars)
	}
	return pick(g, scalars)
}

// integer returns some integer type.
func (g *generator) integer() *goType {
	if g.narrow {
		return pick(g, narrowIntegers)
	}
	return pick(g, integers)
}

// float returns a type of floats, the largest that there is.
func (g *generator) float() *goType {
	if g.narrow {
		return typeFloat32
	}
	return typeFloat64
}

// narrowSeed reports whether the kernels on packs of a seed are narrow.
func narrowSeed(seed uint64) bool { return seed%2 == 1 }

// Functions.

func (g *generator) begin() {
	g.vars = []*variable{
		{"constI", integers[2], false, true}, {"constU", arrayOf(arrayOf(integers[5], 2), 2), false, true},
		{"constF", typeFloat64, false, true}, {"constA", arrayOf(typeFloat64, 4), false, true},
	}
	if g.narrow {
		g.vars = g.vars[:2]
	}
	g.block, g.names, g.labels, g.depth, g.loops = len(g.vars), 0, 0, 0, 0
	g.targets, g.used = nil, map[string]bool{}
	g.fresh()
}

// fresh starts a statement.
func (g *generator) fresh() {
	g.hazard, g.excluded, g.state = noHazard, map[*variable]bool{}, nil
	if g.faulty && g.chance(4) {
		g.hazard = hazard(1 + g.IntN(3))
	}
}

func (g *generator) helper() {
	h := &helperFunc{name: fmt.Sprintf("h%d", len(g.helpers)), impure: g.chance(2), loops: g.chance(3)}
	g.inHelper, g.faulty = h, false
	g.begin()
	var params []string
	for i := range 1 + g.IntN(3) {
		v := variable{name: fmt.Sprintf("p%d", i), typ: g.anyType()}
		star := ""
		if h.impure && (i == 0 || g.chance(4)) {
			v.pointer, star = true, "*"
		}
		h.params = append(h.params, v)
		g.vars = append(g.vars, &v)
		params = append(params, fmt.Sprintf("%s %s%s", v.name, star, v.typ.name))
	}
	var results []string
	naming := g.chance(3)
	for i := range 1 + g.IntN(2)*g.IntN(3) {
		t := g.anyType()
		h.results = append(h.results, t)
		name := ""
		if naming {
			v := variable{name: fmt.Sprintf("r%d", i), typ: t}
			g.vars = append(g.vars, &v)
			name = v.name + " "
		}
		results = append(results, name+t.name)
	}
	g.line("")
	g.line("func %s(%s) (%s) {", h.name, strings.Join(params, ", "), strings.Join(results, ", "))
	g.indent++
	if h.impure {
		g.assignTo(&h.params[0])
	}
	for range 1 + g.IntN(4) {
		g.statement()
	}
	if naming && g.chance(2) {
		g.line("return")
	} else {
		g.returnResults()
	}
	g.indent--
	g.line("}")
	g.helpers = append(g.helpers, h)
	g.inHelper = nil
}

func (g *generator) returnResults() {
	g.fresh()
	var values []string
	for _, t := range g.inHelper.results {
		values = append(values, g.value(t, 2))
	}
	g.line("return %s", strings.Join(values, ", "))
}

func (g *generator) assignTo(v *variable) {
	g.fresh()
	g.line("*%s = %s", v.name, g.value(v.typ, 2))
}

// partsOfKernel is the number of functions that a kernel on a device calls: there a kernel takes long to compile, whatever
// it does.
const partsOfKernel = 12

// parts writes kernel i on a device.
func (g *generator) parts(i int) {
	var calls []string
	params, structs := "", g.chance(2)
	for j := range partsOfKernel {
		name := fmt.Sprintf("part%d_%d", i, j)
		params = g.kernel(name, structs)
		calls = append(calls, name+"(a, x, r, y)")
	}
	g.line("")
	g.line("func k%d(%s) {\n\t%s\n}", i, params, strings.Join(calls, "\n\t"))
}

// kernel writes a kernel, and returns its parameters.
func (g *generator) kernel(name string, structs bool) (params string) {
	g.faulty = g.chance(3) && !g.packs && !g.onDevice
	g.begin()
	g.line("")
	whole, real := typeInt64, typeFloat64
	if g.narrow {
		whole, real = integers[2], typeFloat32
	}
	x, y := &variable{"x", arrayOf(real, 6), true, true}, &variable{"y", arrayOf(real, 8), true, false}
	x0, x1 := "x[0]", "x[1]"
	if structs {
		x.typ, y.typ = g.in, arrayOf(g.result, 2)
		x0, x1 = "x.F0", "x.F1[0]"
	}
	params = fmt.Sprintf("a *[6]%[1]s, x *%[2]s, r *[8]%[1]s, y *%[3]s", whole.name, x.typ.name, y.typ.name)
	g.line("func %s(%s) {", name, params)
	g.indent++
	g.vars = append(g.vars, x, y, &variable{"a", arrayOf(whole, 6), true, true}, &variable{"r", arrayOf(whole, 8), true, false})
	for j := range 3 {
		t := g.integer()
		g.declare(t, fmt.Sprintf("%s(a[%d])", t.name, j))
	}
	g.declare(typeFloat32, "float32("+x1+")")
	g.declare(real, x0)
	least := 8
	if g.onDevice {
		least = 2
	}
	for range least + g.IntN(least) {
		g.statement()
	}
	g.results()
	g.indent--
	g.line("}")
	return params
}

// results adds every variable of the kernel to what it leaves.
func (g *generator) results() {
	ints := 0
	var add func(place string, t *goType)
	add = func(place string, t *goType) {
		switch t.class {
		case signed, unsigned:
			ints++
			g.line("r[%d] = r[%d]*31 + %s(%s)", ints%8, ints%8, g.whole(), place)
		case float:
			if ints++; g.narrow {
				g.line("r[%d] = r[%d]*31 + int32(math.Float32bits(finite32(%s)))", ints%8, ints%8, place)
				return
			}
			g.line("r[%d] = r[%d]*31 + int64(math.Float64bits(finite(float64(%s))))", ints%8, ints%8, place)
		case boolean:
			ints++
			g.line("if %s {", place)
			g.line("\tr[%d]++", ints%8)
			g.line("}")
		case array:
			for i := range t.len {
				add(fmt.Sprintf("%s[%d]", place, i), t.elem)
			}
		case structure:
			for i, f := range t.fields {
				add(fmt.Sprintf("%s.F%d", place, i), f)
			}
		}
	}
	for _, v := range g.visible() {
		if !v.pointer && !strings.HasPrefix(v.name, "const") {
			add(v.name, v.typ)
		}
	}
}

// whole returns the type of the integers that kernels take.
func (g *generator) whole() string {
	if g.narrow {
		return "int32"
	}
	return "int64"
}

// Variables and places.

func (g *generator) declare(t *goType, init string) *variable {
	v := &variable{name: g.newName(), typ: t}
	switch {
	case init == "":
		g.line("var %s %s", v.name, t.name)
	case g.chance(2):
		g.line("var %s %s = %s", v.name, t.name, init)
	case t.scalar():
		g.line("%s := %s(%s)", v.name, t.name, init)
	default:
		g.line("%s := %s", v.name, init)
	}
	g.line("_ = %s", v.name)
	g.vars = append(g.vars, v)
	return v
}

// newName returns a new name, or one that an outer block uses.
func (g *generator) newName() string {
	if outer := g.vars[:g.block]; g.chance(4) {
		name := pick(g, outer).name
		taken := slices.ContainsFunc(g.vars[g.block:], func(v *variable) bool { return v.name == name })
		if name[0] == 'v' && !taken {
			return name
		}
	}
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// visible returns the variables that no inner one hides.
func (g *generator) visible() []*variable {
	var list []*variable
	hidden := map[string]bool{}
	for _, v := range slices.Backward(g.vars) {
		if !hidden[v.name] {
			list = append(list, v)
		}
		hidden[v.name] = true
	}
	return list
}

// inner runs f in a block of its own.
func (g *generator) inner(f func()) {
	block, vars := g.block, len(g.vars)
	g.block = vars
	g.indent++
	f()
	g.indent--
	g.vars = g.vars[:vars]
	g.block = block
}

// place returns a variable, or a part of one, of type t; empty if there is none. Subscripts
// in it are expressions of the given depth.
func (g *generator) place(t *goType, assigned bool, depth int) string {
	type way func() string
	var ways []way
	var walk func(u *goType, base way, levels int)
	walk = func(u *goType, base way, levels int) {
		if u.name == t.name {
			ways = append(ways, base)
		}
		if levels > 3 {
			return
		}
		switch u.class {
		case array:
			walk(u.elem, func() string { return base() + "[" + g.subscript(u.len, depth) + "]" }, levels+1)
		case structure:
			for i, f := range u.fields {
				walk(f, func() string { return fmt.Sprintf("%s.F%d", base(), i) }, levels+1)
			}
		}
	}
	for _, v := range g.visible() {
		if g.excluded[v] || assigned && v.fixed {
			continue
		}
		base := v.name
		if v.pointer {
			base = "(*" + v.name + ")"
		}
		walk(v.typ, func() string { return base }, 0)
	}
	if len(ways) == 0 {
		return ""
	}
	text := pick(g, ways)()
	if g.chance(2) { // the pointer itself may be subscripted and selected from
		if name, rest, ok := strings.Cut(strings.TrimPrefix(text, "(*"), ")"); ok && strings.HasPrefix(text, "(*") && rest != "" && len(name) < 3 {
			return name + rest
		}
	}
	return text
}

// subscript returns an index into an array of n elements.
func (g *generator) subscript(n, depth int) string {
	if g.hazard == indexHazard && g.chance(2) {
		t := pick(g, integers)
		return fmt.Sprintf("%s %% %d", g.varying(t, depth-1), n+1)
	}
	if depth <= 0 || g.chance(2) {
		return fmt.Sprint(g.IntN(n))
	}
	if g.packs { // only what is the same for all elements
		if g.chance(20) {
			return fmt.Sprintf("int(constI) & %d", n&(n-1)^(n-1))
		}
		return fmt.Sprint(g.IntN(n))
	}
	t := pick(g, integers)
	if n&(n-1) == 0 {
		return fmt.Sprintf("%s & %d", g.varying(t, depth-1), n-1)
	}
	t = integers[5+g.IntN(5)]
	return fmt.Sprintf("%s %% %d", g.varying(t, depth-1), n)
}

// Expressions.

// value returns an expression of type t, which may be a constant.
func (g *generator) value(t *goType, depth int) string {
	if t.scalar() && g.chance(4) {
		return g.literal(t)
	}
	return g.varying(t, depth)
}

// literal returns a constant of type t.
func (g *generator) literal(t *goType) string {
	switch t.class {
	case boolean:
		return pick(g, []string{"true", "false"})
	case float:
		list := []string{"0", "1", "0.5", "-1.5", "3", "1e10", "0.1", "-1e-30", "2.5", "7"}
		if t.bits == 64 {
			list = append(list, "1e300", "0x1p-1060", "-1e200", "1.0 / 3")
		}
		return "(" + pick(g, list) + ")"
	case signed:
		switch g.IntN(8) {
		case 0:
			return fmt.Sprint(int64(1)<<(t.bits-1) - 1)
		case 1:
			return fmt.Sprintf("(%d)", int64(-1)<<(t.bits-1))
		case 2:
			return fmt.Sprintf("(%d)", g.Int64N(1<<(t.bits-1)-1)-1<<(t.bits-2))
		}
		return fmt.Sprintf("(%d)", g.IntN(20)-8)
	case unsigned:
		switch g.IntN(8) {
		case 0:
			return fmt.Sprint(uint64(1)<<(t.bits-1)<<1 - 1)
		case 1:
			return fmt.Sprint(g.Uint64() >> (64 - t.bits))
		}
		return fmt.Sprint(g.IntN(20))
	}
	panic("no literal of " + t.name)
}

// varying returns an expression of type t that is not a constant.
func (g *generator) varying(t *goType, depth int) string {
	if depth <= 0 || g.chance(4) {
		if p := g.place(t, false, depth); p != "" {
			return p
		}
	}
	if g.chance(5) && depth > 0 {
		if c := g.call(t, depth); c != "" {
			return c
		}
	}
	switch t.class {
	case signed, unsigned:
		return g.integerValue(t, depth)
	case float:
		return g.floatValue(t, depth)
	case boolean:
		return g.boolValue(depth)
	}
	if p := g.place(t, false, depth); p != "" && g.chance(2) {
		return p
	}
	return g.composite(t, depth)
}

func (g *generator) integerValue(t *goType, depth int) string {
	if depth <= 0 { // there is no variable of type t
		return g.fromInput(t)
	}
	x := func() string { return g.varying(t, depth-1) }
	y := func() string { return g.value(t, depth-1) }
	n := 14
	if g.narrow {
		n = 12 // the rest comes from float64
	}
	switch g.IntN(n) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, []string{"+", "-", "*"}), y())
	case 3:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, []string{"&", "|", "^", "&^"}), y())
	case 4, 5:
		op := pick(g, []string{"/", "%"})
		switch {
		case g.packs:
			return fmt.Sprintf("(%s %s %d)", x(), op, 1+g.IntN(100))
		case g.hazard == divideHazard && g.chance(2):
			return fmt.Sprintf("(%s %s (%s & 3))", x(), op, x())
		case g.chance(3):
			literal := fmt.Sprint(1 + g.IntN(100))
			if t.class == signed && g.chance(2) {
				literal = "(-" + literal + ")"
			}
			return fmt.Sprintf("(%s %s %s)", x(), op, literal)
		}
		return fmt.Sprintf("(%s %s (%s | 1))", x(), op, x())
	case 6, 7:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, []string{"<<", ">>"}), g.count(t, depth))
	case 8:
		if g.packs {
			return fmt.Sprintf("(%s - %s)", y(), x())
		}
		// the constant takes its type from what it is added to
		return fmt.Sprintf("(%s + %d<<%s)", x(), 1+g.IntN(100), g.varying(integers[5+g.IntN(5)], depth-1))
	case 9:
		return pick(g, []string{"-", "^", "+"}) + "(" + x() + ")"
	case 10:
		return fmt.Sprintf("%s(%s)", t.name, g.varying(g.integer(), depth-1))
	case 12:
		from := pick(g, []string{"toSigned(%s)", "toUnsigned(%s)", "toInt8(%s)", "toUint32(float32(%s))"})
		return fmt.Sprintf("%s("+from+")", t.name, g.varying(typeFloat64, depth-1))
	case 11:
		return fmt.Sprintf("%s(%s, %s, %s)", pick(g, []string{"min", "max"}), x(), y(), y())
	}
	if t.bits == 64 {
		return fmt.Sprintf("%s(math.Float64bits(finite(%s)))", t.name, g.varying(typeFloat64, depth-1))
	}
	return fmt.Sprintf("%s(%s)", t.name, g.varying(typeInt64, depth-1))
}

// count returns a shift count for a number of type t.
func (g *generator) count(t *goType, depth int) string {
	switch {
	case g.packs:
		return fmt.Sprint(g.IntN(t.bits))
	case g.hazard == shiftHazard && g.chance(2):
		return fmt.Sprintf("(%s %% 40)", g.varying(integers[g.IntN(5)], depth-1))
	case g.chance(3):
		return fmt.Sprint(g.IntN(70))
	case g.chance(2):
		return fmt.Sprintf("(%s & 15)", g.varying(pick(g, integers), depth-1))
	}
	return g.varying(integers[5+g.IntN(5)], depth-1)
}

// fromInput returns a number of type t from what the function is given.
func (g *generator) fromInput(t *goType) string {
	if t.class == boolean {
		t := typeInt64
		if g.narrow {
			t = integers[2]
		}
		if p := g.place(t, false, 0); p != "" {
			return "(" + p + " > 2)"
		}
		return "(constI < int32(constU[0][0]))"
	}
	for _, from := range []*goType{typeInt64, typeFloat64, integers[2], typeFloat32} {
		if t.class == float || from.class != float {
			if p := g.place(from, false, 0); p != "" {
				return t.name + "(" + p + ")"
			}
		}
	}
	return t.name + "(constI)"
}

func (g *generator) floatValue(t *goType, depth int) string {
	if depth <= 0 {
		return g.fromInput(t)
	}
	if g.onDevice && g.chance(4) {
		return t.name + "(" + g.ofConstants() + ")"
	}
	x := func() string { return g.varying(t, depth-1) }
	y := func() string { return g.value(t, depth-1) }
	switch g.IntN(12) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, []string{"+", "-"}), y())
	case 2, 3: // as a conversion, so that no machine contracts it
		return fmt.Sprintf("%s(%s * %s)", t.name, x(), y())
	case 4:
		return fmt.Sprintf("(%s / %s)", x(), x())
	case 5:
		return "-(" + x() + ")"
	case 6:
		return fmt.Sprintf("%s(%s)", t.name, g.varying(g.integer(), depth-1))
	case 7:
		if !g.narrow {
			return fmt.Sprintf("%s(%s)", t.name, g.varying(pick(g, []*goType{typeFloat32, typeFloat64}), depth-1))
		}
	case 8:
		return fmt.Sprintf("%s(%s, %s)", pick(g, []string{"min", "max"}), x(), y())
	}
	w := func() string { return g.varying(typeFloat64, depth-1) }
	if g.narrow {
		w := func() string { return g.varying(typeFloat32, depth-1) }
		if g.chance(3) {
			return fmt.Sprintf("float32(math.%s(float64(%s), float64(%s)))", pick(g, []string{"Max", "Min"}), w(), w())
		}
		return fmt.Sprintf("float32(math.%s(float64(%s)))", pick(g, []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven"}), w())
	}
	text := ""
	switch g.IntN(9) {
	case 4:
		// GCC makes one instruction of -FMA(x, y, z), which differs in the sign of zero.
		text = fmt.Sprintf("(math.FMA(%s, %s, %s) + 0)", w(), w(), w())
	case 1:
		text = fmt.Sprintf("math.Copysign(%s, finite(%s))", w(), w())
	case 2:
		text = fmt.Sprintf("math.Ldexp(%s, int(%s))", w(), g.varying(integers[0], depth-1))
	case 3:
		text = fmt.Sprintf("math.Float64frombits(%s)", g.varying(integers[8], depth-1))
	case 0, 5:
		text = fmt.Sprintf("math.%s(%s, %s)", pick(g, []string{"Max", "Min", "Mod", "Remainder", "Dim", "Nextafter"}), w(), w())
	default:
		text = fmt.Sprintf("math.%s(%s)", pick(g, []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "Round", "RoundToEven", "Logb"}), w())
	}
	if t.bits == 32 {
		return "float32(" + text + ")"
	}
	return text
}

// edges are numbers for which functions may be undefined.
var edges = []string{"0", "math.Copysign(0, -1)", "5e-324", "-1e-310", "0.5", "-1", "2.5", "3", "0x1p52", "-1e10", "1e19", "1e300", "-1e300",
	"math.MaxFloat64", "math.Inf(1)", "math.Inf(-1)", "math.NaN()"}

// ofConstants calls a function of constants, the value of which compilers may know, or think that there is none.
func (g *generator) ofConstants() string {
	x := func() string { return "large(" + pick(g, edges) + ")" }
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("math.%s(%s, %s)", pick(g, []string{"Max", "Min", "Mod", "Remainder", "Dim", "Nextafter"}), x(), x())
	case 1:
		return fmt.Sprintf("math.Copysign(%s, finite(%s))", x(), x())
	}
	return fmt.Sprintf("math.%s(%s)", pick(g, []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "Round", "RoundToEven", "RoundToEven", "Logb"}), x())
}

// branchOfConstants writes a switch that calls functions of constants in one case, and counts in others.
func (g *generator) branchOfConstants() {
	count, v := g.place(integers[3], true, 0), g.place(typeFloat64, true, 0)
	g.line("switch ^(two(2) & uint64(%s)) & 3 {", g.varying(typeInt64, 1))
	g.line("case 0:")
	g.line("\t%s += %d", count, 1+g.IntN(9))
	if g.chance(2) {
		g.line("\tfallthrough")
	}
	g.line("case %d:", 1+g.IntN(3))
	g.line("\t%s += %s", count, g.varying(typeInt64, 2))
	g.line("default:")
	g.line("\t%s += %s", v, g.ofConstants())
	g.line("}")
}

func (g *generator) boolValue(depth int) string {
	if depth <= 0 {
		return g.fromInput(typeBool)
	}
	x := func() string { return g.varying(typeBool, depth-1) }
	switch g.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s && %s)", x(), x())
	case 1:
		return fmt.Sprintf("(%s || %s)", x(), x())
	case 2:
		return "!" + x()
	case 3:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, []string{"==", "!="}), x())
	case 4:
		if g.narrow {
			break
		}
		return fmt.Sprintf(pick(g, []string{"math.IsNaN(%s)", "math.IsInf(%s, 0)", "math.Signbit(finite(%s))"}), g.varying(typeFloat64, depth-1))
	}
	t := g.integer()
	if g.chance(3) {
		t = pick(g, []*goType{typeFloat32, g.float()})
	}
	op := pick(g, []string{"<", "<=", ">", ">=", "==", "!="})
	return fmt.Sprintf("(%s %s %s)", g.varying(t, depth-1), op, g.value(t, depth-1))
}

// composite writes an array or struct out, or a part of it.
func (g *generator) composite(t *goType, depth int) string {
	n := len(t.fields)
	if t.class == array {
		n = t.len
	}
	var elems []string
	keyed := g.chance(3)
	for i := range n {
		e, key := t.elem, fmt.Sprint(i)
		if t.class == structure {
			e, key = t.fields[i], fmt.Sprintf("F%d", i)
		}
		if keyed && g.chance(2) {
			continue
		}
		text := g.value(e, depth-1)
		if keyed {
			text = key + ": " + text
		}
		elems = append(elems, text)
	}
	return t.name + "{" + strings.Join(elems, ", ") + "}"
}

// call returns the call of a helper with the one result t; empty if there is none.
func (g *generator) call(t *goType, depth int) string {
	var fits []*helperFunc
	for _, h := range g.helpers {
		if len(h.results) == 1 && h.results[0].name == t.name && g.mayCall(h) {
			fits = append(fits, h)
		}
	}
	if len(fits) == 0 {
		return ""
	}
	return g.callOf(pick(g, fits), depth)
}

func (g *generator) mayCall(h *helperFunc) bool {
	if h.loops && (g.inHelper != nil || g.loops > 1) {
		return false
	}
	if !h.impure {
		return true
	}
	for _, p := range h.params {
		if p.pointer && g.stateOf(p.typ) == nil {
			return false
		}
	}
	return true
}

// stateOf returns a variable of type t that calls may change in the current statement.
func (g *generator) stateOf(t *goType) *variable {
	for _, v := range g.state {
		if v.typ.name == t.name {
			return v
		}
	}
	return nil
}

func (g *generator) callOf(h *helperFunc, depth int) string {
	var args []string
	for _, p := range h.params {
		if p.pointer {
			v := g.stateOf(p.typ)
			if v.pointer {
				args = append(args, v.name)
			} else {
				args = append(args, "&"+v.name)
			}
		} else {
			args = append(args, g.value(p.typ, depth-1))
		}
	}
	return h.name + "(" + strings.Join(args, ", ") + ")"
}

// allowChanges lets the calls of the current statement change some variables, which
// the rest of the statement then leaves alone.
func (g *generator) allowChanges() {
	if g.inHelper != nil || !g.chance(3) {
		return
	}
	for _, h := range g.helpers {
		for _, p := range h.params {
			if !p.pointer || !g.chance(2) {
				continue
			}
			for _, v := range g.visible() {
				if v.typ.name == p.typ.name && !v.fixed && !v.pointer && !g.excluded[v] {
					g.excluded[v] = true
					g.state = append(g.state, v)
					break
				}
			}
		}
	}
}

// Statements.

func (g *generator) statement() {
	g.depth++
	defer func() { g.depth-- }()
	g.fresh()
	if g.onDevice && g.inHelper == nil && g.chance(4) {
		g.branchOfConstants()
		return
	}
	if g.depth < 4 {
		switch g.IntN(12) {
		case 0, 1:
			g.ifStatement()
			return
		case 2:
			if g.inHelper == nil && g.loops < 3 || g.inHelper != nil && g.inHelper.loops && g.loops == 0 {
				g.loop()
				return
			}
		case 3:
			g.switchStatement()
			return
		case 4:
			if g.chance(3) {
				g.line("{")
				g.inner(func() { g.statements(2) })
				g.line("}")
				return
			}
		}
	}
	switch g.IntN(13) {
	case 0, 1:
		t := g.anyType()
		if g.chance(6) {
			g.declare(t, "")
			return
		}
		g.allowChanges()
		g.declare(t, g.value(t, 3))
	case 2, 3, 4, 5:
		g.allowChanges()
		g.assignment()
	case 6, 7:
		g.allowChanges()
		g.update()
	case 8:
		g.allowChanges()
		g.parallelAssignment()
	case 9:
		g.callStatement()
	case 10:
		if len(g.targets) > 0 {
			g.jump()
		} else if g.inHelper != nil {
			g.line("if %s {", g.value(typeBool, 2))
			g.inner(g.returnResults)
			g.line("}")
		}
	case 11:
		if g.inHelper == nil && g.chance(6) {
			g.line("if %s {", g.varying(typeBool, 2))
			g.line("\treturn")
			g.line("}")
		}
	case 12:
		if !g.packs {
			g.twoResults()
		}
	}
}

func (g *generator) statements(most int) {
	for range 1 + g.IntN(most) {
		g.statement()
	}
}

// target returns a place to be assigned and its type.
func (g *generator) target(depth int) (string, *goType) {
	for {
		v := pick(g, g.visible())
		if v.fixed || g.excluded[v] {
			if g.chance(20) {
				return "", nil
			}
			continue
		}
		t := v.typ
		for !t.scalar() && !g.chance(3) {
			if t.class == array {
				t = t.elem
			} else {
				t = pick(g, t.fields)
			}
		}
		return g.place(t, true, depth), t
	}
}

func (g *generator) assignment() {
	if place, t := g.target(2); place != "" {
		g.line("%s = %s", place, g.value(t, 3))
	}
}

func (g *generator) update() {
	place, t := g.target(2)
	switch {
	case place == "":
	case t.integer() && g.chance(3):
		g.line("%s%s", place, pick(g, []string{"++", "--"}))
	case t.integer() && g.chance(3):
		g.line("%s %s= %s", place, pick(g, []string{"<<", ">>"}), g.count(t, 2))
	case t.integer() && g.chance(3) && g.packs:
		g.line("%s %s= %d", place, pick(g, []string{"/", "%"}), 1+g.IntN(100))
	case t.integer() && g.chance(3) && !g.packs:
		g.line("%s %s= (%s | 1)", place, pick(g, []string{"/", "%"}), g.varying(t, 2))
	case t.integer():
		g.line("%s %s= %s", place, pick(g, []string{"+", "-", "*", "&", "|", "^", "&^"}), g.value(t, 2))
	case t.class == float:
		g.line("%s %s= %s", place, pick(g, []string{"+", "-", "*"}), g.value(t, 2))
	default:
		g.line("%s = %s", place, g.value(t, 2))
	}
}

// parallelAssignment assigns several places at once, which may be the same.
func (g *generator) parallelAssignment() {
	var places, values []string
	for range 2 + g.IntN(2) {
		place, t := g.target(1)
		if place == "" {
			return
		}
		value := g.value(t, 2)
		if p := g.place(t, false, 1); p != "" && g.chance(2) {
			value = p
		}
		places, values = append(places, place), append(values, value)
	}
	g.line("%s = %s", strings.Join(places, ", "), strings.Join(values, ", "))
}

// callStatement calls a function of any results, all of which go somewhere or nowhere.
func (g *generator) callStatement() {
	g.allowChanges()
	h := pick(g, g.helpersOr())
	if h == nil || !g.mayCall(h) {
		return
	}
	call := g.callOf(h, 2)
	if g.chance(4) {
		g.line("%s", call)
		return
	}
	if g.chance(3) {
		var names []string
		for range h.results {
			g.names++
			names = append(names, fmt.Sprintf("v%d", g.names))
		}
		g.line("%s := %s", strings.Join(names, ", "), call)
		for i, name := range names {
			g.line("_ = %s", name)
			g.vars = append(g.vars, &variable{name: name, typ: h.results[i]})
		}
		return
	}
	var places []string
	for _, t := range h.results {
		p := g.place(t, true, 1)
		if p == "" || g.chance(6) {
			p = "_"
		}
		places = append(places, p)
	}
	g.line("%s = %s", strings.Join(places, ", "), call)
}

func (g *generator) helpersOr() []*helperFunc {
	if len(g.helpers) == 0 {
		return []*helperFunc{nil}
	}
	return g.helpers
}

// twoResults calls a function of math that has two.
func (g *generator) twoResults() {
	x := g.varying(typeFloat64, 2)
	if g.chance(2) {
		if p, q := g.place(typeFloat64, true, 1), g.place(typeFloat64, true, 1); p != "" {
			g.line("%s, %s = math.Modf(%s)", p, q, x)
		}
		return
	}
	g.names += 2
	f, e := fmt.Sprintf("v%d", g.names-1), fmt.Sprintf("v%d", g.names)
	g.line("%s, %s := math.Frexp(%s)", f, e, x)
	g.line("_, _ = %s, %s", f, e)
	g.vars = append(g.vars, &variable{name: f, typ: typeFloat64}, &variable{name: e, typ: integers[4]})
}

func (g *generator) ifStatement() {
	g.allowChanges()
	cond := g.varying(typeBool, 3)
	if g.chance(5) {
		t := g.integer()
		g.names++
		name := fmt.Sprintf("v%d", g.names)
		init := g.varying(t, 2)
		g.line("if %s := %s; %s > %s {", name, init, name, g.literal(t))
	} else {
		g.line("if %s {", cond)
	}
	g.inner(func() { g.statements(3) })
	for g.chance(4) {
		g.fresh()
		g.line("} else if %s {", g.varying(typeBool, 2))
		g.inner(func() { g.statements(2) })
	}
	if g.chance(2) {
		g.line("} else {")
		g.inner(func() { g.statements(3) })
	}
	g.line("}")
}

// jumpsTo writes a loop or a switch, with a label if something in it jumps there.
func (g *generator) jumpsTo(isLoop bool, write func()) {
	g.labels++
	label := fmt.Sprintf("l%d", g.labels)
	g.targets = append(g.targets, loopTarget{label, isLoop})
	before := g.out.String()
	g.out.Reset()
	write()
	text := g.out.String()
	g.out.Reset()
	g.out.WriteString(before)
	if g.used[label] {
		g.out.WriteString(label + ":\n")
	}
	g.out.WriteString(text)
	g.targets = g.targets[:len(g.targets)-1]
}

func (g *generator) loop() {
	g.loops++
	defer func() { g.loops-- }()
	g.jumpsTo(true, func() {
		g.names++
		name := fmt.Sprintf("n%d", g.names)
		t := g.integer()
		counter := &variable{name: name, typ: t, fixed: true}
		switch g.IntN(6) {
		case 0:
			g.line("for %s := %s(0); %s < %d && %s; %s++ {", name, t.name, name, 2+g.IntN(4), g.varying(typeBool, 2), name)
		case 1:
			g.line("for %s, m := %s(0), int8(9); %s < %s(m); %s, m = %s+1, m-2 {", name, t.name, name, t.name, name, name)
		case 2:
			g.line("for %s := range %s(%d) {", name, t.name, 1+g.IntN(5))
			counter.fixed = false // the next round has a counter of its own
		case 3:
			g.line("for %s := range %s & 3 {", name, g.varying(t, 2))
			counter.fixed = false
		case 4:
			g.line("for %s := %s(%d); %s > 0; %s -= 2 {", name, t.name, 4+2*g.IntN(3), name, name)
		case 5:
			g.rangeOver(counter)
			return
		}
		g.inner(func() {
			g.line("_ = %s", name)
			g.vars = append(g.vars, counter)
			g.statements(3)
		})
		g.line("}")
	})
}

// rangeOver ranges over an array, or a pointer to one.
func (g *generator) rangeOver(counter *variable) {
	var arrays []*variable
	for _, v := range g.visible() {
		if v.typ.class == array {
			arrays = append(arrays, v)
		}
	}
	v := pick(g, arrays)
	over := v.name
	if v.pointer && g.chance(2) {
		over = "*" + over
	} else if !v.pointer && !v.fixed && g.chance(3) {
		over = "&" + over
	}
	g.names++
	elem := fmt.Sprintf("v%d", g.names)
	g.line("for %s, %s := range %s {", counter.name, elem, over)
	g.inner(func() {
		g.line("_, _ = %s, %s", counter.name, elem)
		counter.typ, counter.fixed = integers[4], false
		g.vars = append(g.vars, counter, &variable{name: elem, typ: v.typ.elem})
		g.statements(3)
	})
	g.line("}")
}

// jump leaves or continues something around it, under a condition.
func (g *generator) jump() {
	cond := g.varying(typeBool, 2)
	t := pick(g, g.targets)
	word := "break"
	if t.isLoop && g.chance(2) {
		word = "continue"
	}
	g.line("if %s {", cond)
	if g.chance(2) || !g.innermost(t, word) {
		g.used[t.label] = true
		g.line("\t%s %s", word, t.label)
	} else {
		g.line("\t%s", word)
	}
	g.line("}")
}

// innermost reports whether word alone is about t.
func (g *generator) innermost(t loopTarget, word string) bool {
	for _, u := range slices.Backward(g.targets) {
		if u.isLoop || word == "break" {
			return u == t
		}
	}
	return false
}

func (g *generator) switchStatement() {
	g.jumpsTo(false, func() {
		g.allowChanges()
		t := g.integer()
		tagged := g.chance(2)
		if tagged {
			g.line("switch %s & 7 {", g.varying(t, 2))
		} else {
			g.line("switch {")
		}
		n := 1 + g.IntN(4)
		other := g.IntN(2 * n) // where the default is
		values := g.Perm(8)
		for i := range n {
			switch {
			case i == other:
				g.line("default:")
			case tagged && g.chance(5):
				g.fresh()
				g.line("case %s:", g.varying(t, 1))
			case tagged && g.chance(3):
				g.line("case %d, %d:", values[2*i], values[2*i+1])
			case tagged:
				g.line("case %d:", values[2*i])
			default:
				g.fresh()
				g.line("case %s:", g.varying(typeBool, 2))
			}
			g.inner(func() { g.statements(2) })
			if i+1 < n && g.chance(4) && !g.packs {
				g.line("\tfallthrough")
			}
		}
		g.line("}")
	})
}
