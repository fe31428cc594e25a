package codegen

import (
	"fmt"
	"sort"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Every argument is a copy of the work-item's own: loaded before the kernel is called, and
// stored after it, or when the element's turn comes.

// arguments decides for each argument what is loaded, passed and stored.
func (g *deviceLoop) arguments() {
	for i, a := range g.Loop.Args {
		switch a.Kind {
		case loop.Index:
			g.index(i)
		case loop.Global:
			g.globalArg(i, a)
		case loop.Mat:
			g.matArg(i, a)
		default:
			g.dat(i, a)
		}
	}
}

// local is a name for a variable that serves parameter i.
func (g *deviceLoop) local(i int, role string) string {
	return g.p.scope.fresh(g.Kernel.Entry().Params[i].Name + "_" + role)
}

// index passes the element's number.
func (g *deviceLoop) index(i int) {
	name, t := g.local(i, "number"), kernel.Leaf(g.Kernel.Entry().Params[i].Type)
	g.declare = append(g.declare, fmt.Sprintf("%s %s;", t.C(), name))
	g.load = append(g.load, fmt.Sprintf("%s = n;", name))
	g.pass = append(g.pass, "&"+name)
}

// own declares a local with n values, or one.
func own(t loop.Scalar, name string, n int) string {
	if n == 1 {
		return t.C() + " " + name
	}
	return fmt.Sprintf("%s %s[%d]", t.C(), name, n)
}

// all is a statement for n values, in which %[1]s stands for the number of the value and
// %[2]s for the subscript of a local that own declared.
func all(n int, format string) string {
	if n == 1 {
		return fmt.Sprintf(format, "0", "")
	}
	return fmt.Sprintf("for (int d = 0; d < %d; d++) ", n) + fmt.Sprintf(format, "d", "[d]")
}

// globalArg passes a copy of a global, or of the partial result of a reduction.
func (g *deviceLoop) globalArg(i int, a loop.Arg) {
	t, n, values := g.Loop.Type(a), g.Loop.Dim(a), g.values(a.Data)
	if g.p.device.inPlace[g.Kernel.Entry().Params[i]] {
		g.pass = append(g.pass, values)
		return
	}
	if a.Access == loop.Read {
		name := g.local(i, "value")
		g.declare = append(g.declare, own(t, name, n)+";")
		g.load = append(g.load, all(n, name+"%[2]s = "+values+"[%[1]s];"))
		g.pass = append(g.pass, address(name, n))
		return
	}
	r := deviceReduction{arg: i, a: a, typ: t.C(), n: n, partial: g.local(i, "partial"), partials: g.p.scope.fresh(g.data[a.Data] + "_partials")}
	g.reductions = append(g.reductions, r)
	if a.Access == loop.Inc && g.Kernel.Uses[i].OnlyAdds() {
		g.pass = append(g.pass, address(r.partial, n))
		return
	}
	name := g.local(i, "own")
	g.declare = append(g.declare, own(t, name, n)+";")
	first := r.partial + "%[2]s"
	if a.Access == loop.Inc {
		first = "0"
	}
	g.load = append(g.load, all(n, name+"%[2]s = "+first+";"))
	g.store = append(g.store, all(n, g.combined(a, r.partial+"%[2]s", name+"%[2]s")))
	g.pass = append(g.pass, address(name, n))
}

// combined is the statement that brings value into place.
func (g *deviceLoop) combined(a loop.Arg, place, value string) string {
	switch a.Access {
	case loop.Inc:
		return place + " += " + value + ";"
	case loop.Min, loop.Max:
		f := g.p.helpers.useFor(a.Access.String(), g.Loop.Type(a))
		return place + " = " + f + "(" + place + ", " + value + ");"
	}
	return place + " = " + value + ";"
}

// collided is combined where other elements may change the place at the same time, or
// would but for their color.
func (g *deviceLoop) collided(a loop.Arg, place, value string) string {
	if g.Options.Strategy == Atomic {
		return g.atomic(g.Loop.Type(a), a.Access) + "(&" + place + ", " + value + ");"
	}
	return g.combined(a, place, value)
}

// staged reports whether argument a finds its data in shared memory.
func (g *deviceLoop) staged(a loop.Arg) bool {
	return g.Options.Strategy == Staged && a.Kind == loop.Dat && g.stagedData(a.Data)
}

// stagedData reports whether data d is copied to shared memory: some argument reaches it
// through a map.
func (g *deviceLoop) stagedData(d int) bool {
	for _, a := range g.Loop.Args {
		if a.Kind == loop.Dat && a.Data == d && a.Indirect() {
			return true
		}
	}
	return false
}

// place is the value with the given number of argument a, for component c of its map, or
// for number 0 of an element's only ones.
func (g *deviceLoop) place(i int, a loop.Arg, c int) func(value string) string {
	n := g.Loop.Dim(a)
	if g.staged(a) {
		at := g.localNumber(i, a, c)
		return func(value string) string {
			return fmt.Sprintf("%s_shared[%s]", g.data[a.Data], times(n, at, value))
		}
	}
	at, values := "n", g.values(a.Data)
	if a.Indirect() {
		at = g.target(a.Map, c)
	}
	if g.Loop.Data[a.Data].SoA {
		stride := g.number(SlotStride, a.Data, g.data[a.Data]+"_stride")
		return func(value string) string { return fmt.Sprintf("%s[%s]", values, soa(at, value, stride)) }
	}
	return func(value string) string { return fmt.Sprintf("%s[%s]", values, times(n, at, value)) }
}

// times is n * at + value.
func times(n int, at, value string) string {
	switch {
	case n == 1:
		return at
	case value == "0":
		return fmt.Sprintf("%d * %s", n, at)
	}
	return fmt.Sprintf("%d * %s + %s", n, at, value)
}

// soa is the place of a value where each component lies together.
func soa(at, value, stride string) string {
	switch value {
	case "0":
		return at
	case "1":
		return stride + " + " + at
	}
	return fmt.Sprintf("(int64_t)%s * %s + %s", value, stride, at)
}

// target is the element that component c of map m leads to.
func (g *deviceLoop) target(m, c int) string {
	name := fmt.Sprintf("%s_%d", g.maps[m], c)
	if !g.locals[name] {
		g.locals[name] = true
		g.declare = append(g.declare, "int64_t "+name+";")
		from := g.ints(SlotMap, m, g.maps[m])
		g.load = append(g.load, fmt.Sprintf("%s = %s[%s];", name, from, g.column(g.Loop.Maps[m].Arity, "n", fmt.Sprint(c))))
	}
	return name
}

// column is the place of entry c of element at in a table of so many for each.
func (g *deviceLoop) column(n int, at, c string) string {
	if n == 1 || !g.Options.Columns {
		return times(n, at, c)
	}
	return soa(at, c, g.number(SlotSize, 0, "size"))
}

// localNumber is where, in the copy in shared memory, component c of argument i's map is.
func (g *deviceLoop) localNumber(i int, a loop.Arg, c int) string {
	column := c
	if !a.Packed() {
		column = 0
	}
	for _, earlier := range g.Loop.Args[:i] {
		if earlier.Kind == loop.Dat && earlier.Data == a.Data {
			column += g.Loop.Arity(earlier)
		}
	}
	name := fmt.Sprintf("%s_%d", g.data[a.Data], column)
	if !g.locals[name] {
		g.locals[name] = true
		g.declare = append(g.declare, "int "+name+";")
		from := g.array(SlotLocal, a.Data, "const uint16_t", g.data[a.Data]+"_local")
		count := g.number(SlotLast, 0, "last")
		at := "n"
		if g.Options.Subset {
			at = "at"
		}
		g.load = append(g.load, fmt.Sprintf("%s = %s[%s];", name, from, soa(at, fmt.Sprint(column), count)))
	}
	return name
}

// dat passes the values of one element, or of all that a map leads to.
func (g *deviceLoop) dat(i int, a loop.Arg) {
	t, rows, n := g.Loop.Type(a), g.Loop.Arity(a), g.Loop.Dim(a)
	name := g.local(i, "own")
	decl := own(t, name, n)
	if a.Packed() {
		decl = fmt.Sprintf("%s %s[%d]", t.C(), name, rows)
		if n > 1 {
			decl += fmt.Sprintf("[%d]", n)
		}
	}
	g.declare = append(g.declare, decl+";")
	for c := range rows {
		at := c
		value := name + "%[2]s"
		if a.Packed() {
			value = fmt.Sprintf("%s[%d]%%[2]s", name, c)
		} else if a.Indirect() {
			at = a.Component
		}
		var place func(value string) string
		if g.Options.Strategy != Gather || a.Access == loop.Read {
			place = g.place(i, a, at)
		}
		each := func(format string) string {
			if place != nil {
				v := "d"
				if n == 1 {
					v = "0"
				}
				format = strings.ReplaceAll(format, "PLACE", strings.ReplaceAll(place(v), "%", "%%"))
			}
			return all(n, format)
		}
		switch a.Access {
		case loop.Inc:
			g.load = append(g.load, each(value+" = 0;"))
		case loop.Write:
			if g.Options.Poison {
				g.load = append(g.load, each(value+" = "+poisonValue(t)+";"))
			}
		default:
			g.load = append(g.load, each(value+" = PLACE;"))
		}
		switch {
		case a.Access == loop.Read:
		case g.Options.Strategy == Gather:
			g.collide = append(g.collide, each("gathered%[2]s += "+value+";")) // one for each column
		case a.Indirect() || g.reachedIndirectly(a.Data):
			g.collide = append(g.collide, each(g.collided(a, "PLACE", value)))
			g.turn = g.turn || a.Access == loop.RW
		default:
			g.store = append(g.store, each(g.combined(a, "PLACE", value)))
		}
	}
	switch param := g.Kernel.Entry().Params[i].Type; {
	case !a.Packed():
		g.pass = append(g.pass, address(name, n))
	case takesPointers(param):
		pointers := g.local(i, "rows")
		row := make([]string, rows)
		for c := range row {
			row[c] = fmt.Sprintf("%s[%d]", name, c)
			if n == 1 {
				row[c] = "&" + row[c]
			}
		}
		g.declare = append(g.declare, fmt.Sprintf("%s *%s[%d] = {%s};", t.C(), pointers, rows, strings.Join(row, ", ")))
		g.pass = append(g.pass, pointers)
	default:
		g.pass = append(g.pass, flat(name, t, param, n > 1))
	}
}

// flat passes an array of arrays as the kernel's parameter takes it: as it is, or in C as its values one
// after the other.
func flat(name string, t loop.Scalar, param kernel.Type, deep bool) string {
	if a, ok := kernel.Elem(param).(*kernel.Array); ok {
		if row, inner := a.Elem.(*kernel.Array); inner {
			if deep {
				return name
			}
			return fmt.Sprintf("(%s (*)[%d])%s", t.C(), row.Len, name)
		}
	}
	if deep {
		return fmt.Sprintf("(%s *)%s", t.C(), name)
	}
	return name
}

// reachedIndirectly reports whether some argument changes data d through a map.
func (g *deviceLoop) reachedIndirectly(d int) bool {
	for _, a := range g.Loop.Args {
		if a.Kind == loop.Dat && a.Data == d && a.Indirect() && a.Access != loop.Read {
			return true
		}
	}
	return false
}

// matArg passes a local matrix, and puts what is left in it into the sparse one.
func (g *deviceLoop) matArg(i int, a loop.Arg) {
	t, name := g.Loop.Type(a), g.local(i, "matrix")
	rows, cols := g.Loop.Local(a)
	g.declare = append(g.declare, fmt.Sprintf("%s %s[%d][%d];", t.C(), name, rows, cols))
	value := ""
	switch {
	case a.Access == loop.Inc:
		value = "0"
	case g.Options.Poison:
		value = poisonValue(t)
	}
	if value != "" {
		g.load = append(g.load, fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) %s[i][j] = %s;", rows, cols, name, value))
	}
	if takesPointers(g.Kernel.Entry().Params[i].Type) {
		pointers := g.local(i, "rows")
		each := make([]string, rows)
		for r := range each {
			each[r] = fmt.Sprintf("%s[%d]", name, r)
		}
		g.declare = append(g.declare, fmt.Sprintf("%s *%s[%d] = {%s};", t.C(), pointers, rows, strings.Join(each, ", ")))
		g.pass = append(g.pass, pointers)
	} else {
		g.pass = append(g.pass, flat(name, t, g.Kernel.Entry().Params[i].Type, true))
	}
	put := g.scatter(a, name)
	if a.Access == loop.Inc {
		g.collide = append(g.collide, put...)
	} else {
		g.store = append(g.store, put...)
	}
}

// scatter puts a local matrix where its entries are.
func (g *deviceLoop) scatter(a loop.Arg, local string) []string {
	e, names, d := g.Loop.Entries[a.Entries], g.entry[a.Entries], g.Loop.Data[a.Data]
	rows, cols := g.Loop.Maps[a.Map].Arity, g.Loop.Maps[a.ColMap].Arity
	var at string
	if e.Search {
		rowMap, colMap := g.ints(SlotMap, a.Map, g.maps[a.Map]), g.ints(SlotMap, a.ColMap, g.maps[a.ColMap])
		at = fmt.Sprintf("%s(%s, %s, %s[%s], %s[%s])", g.p.helpers.use("entries"),
			g.ints(SlotRowPtr, a.Entries, names.rowPtr), g.ints(SlotColIdx, a.Entries, names.colIdx),
			rowMap, g.column(rows, "n", "i"), colMap, g.column(cols, "n", "j"))
	} else {
		at = fmt.Sprintf("%s[%s]", g.ints(SlotTable, a.Entries, names.table), g.column(rows*cols, "n", fmt.Sprintf("(%d * i + j)", cols)))
	}
	lines := []string{
		fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) {", rows, cols),
		"\tconst int64_t entry = " + at + ";",
	}
	if e.Masked {
		lines = append(lines, "\tif (entry < 0) continue;")
	}
	values := g.values(a.Data)
	if d.Dim == 1 && d.ColDim == 1 {
		lines = append(lines, "\t"+g.collidedMat(a, values+"[entry]", local+"[i][j]"))
	} else {
		lines = append(lines, fmt.Sprintf("\tfor (int l = 0; l < %d; l++) for (int k = 0; k < %d; k++) ", d.ColDim, d.Dim)+
			g.collidedMat(a, fmt.Sprintf("%s[%d * entry + %d * l + k]", values, d.Dim*d.ColDim, d.Dim), fmt.Sprintf("%s[%d * i + k][%d * j + l]", local, d.Dim, d.ColDim)))
	}
	return append(lines, "}")
}

func (g *deviceLoop) collidedMat(a loop.Arg, place, value string) string {
	if a.Access == loop.Inc {
		return g.collided(a, place, value)
	}
	return place + " = " + value + ";"
}

// Atomics are whether values of type t can be combined atomically.
func Atomics(t loop.Scalar, access loop.Access) bool {
	return t.Size() >= 4 && (access == loop.Inc || access == loop.Min || access == loop.Max)
}

// atomic is the name of the helper that combines a value atomically.
func (g *deviceLoop) atomic(t loop.Scalar, access loop.Access) string {
	operation := map[loop.Access]string{loop.Inc: "add", loop.Min: "min", loop.Max: "max"}[access]
	name := "op2_atomic_" + operation + "_" + t.C()
	word := "uint32_t"
	if t.Size() == 8 {
		word = "uint64_t"
	}
	sum := "old.value + value"
	if access != loop.Inc {
		sum = g.p.helpers.useFor(operation, t) + "(old.value, value)"
	}
	swap := "atomicCAS((unsigned int *)place, old.word, next.word)"
	switch {
	case g.Options.Dialect == CUDA && t.Size() == 8:
		swap = "atomicCAS((unsigned long long *)place, (unsigned long long)old.word, (unsigned long long)next.word)"
	case g.Options.Dialect == OpenCLC && t.Size() == 8:
		swap = "atom_cmpxchg((volatile __global ulong *)place, old.word, next.word)"
	case g.Options.Dialect == OpenCLC:
		swap = "atomic_cmpxchg((volatile __global uint *)place, old.word, next.word)"
	}
	body := fmt.Sprintf(`	union { TYPE value; %[1]s word; } old, next;
	old.value = *place;
	for (;;) {
		next.value = %[2]s;
		const %[1]s found = %[3]s;
		if (found == old.word)
			return;
		old.word = found;
	}`, word, sum, swap)
	if native := g.nativeAdd(t); native != "" && access == loop.Inc {
		body = "\t" + native + ";"
	}
	volatile := "volatile "
	if g.Options.Dialect == CUDA {
		volatile = ""
	}
	text := "FUNCTION void " + name + "(" + volatile + "GLOBALTYPE *place, TYPE value)\n{\n" + body + "\n}"
	g.p.helpers[name] = helper{strings.ReplaceAll(text, "TYPE", t.C()), false}
	return name
}

// nativeAdd is the device's own atomic addition for values of type t, if it has one.
func (g *deviceLoop) nativeAdd(t loop.Scalar) string {
	if g.Options.Dialect == CUDA {
		switch t {
		case loop.Int64, loop.Uint64:
			return "atomicAdd((unsigned long long *)place, (unsigned long long)value)"
		}
		return "atomicAdd(place, value)"
	}
	switch t {
	case loop.Int32, loop.Uint32:
		return "atomic_add(place, value)"
	case loop.Int64, loop.Uint64:
		return "atom_add(place, value)"
	}
	return ""
}

// usesAtomic64 reports whether the text has atomics of 64 bits, which OpenCL has to be
// asked for.
func (g *deviceLoop) usesAtomic64() bool {
	if g.Options.Dialect != OpenCLC || g.Options.Strategy != Atomic {
		return false
	}
	for _, a := range g.Loop.Args {
		if a.Indirect() && a.Access != loop.Read && g.Loop.Type(a).Size() == 8 {
			return true
		}
	}
	return false
}

// names are the names of the helpers, those after each other that rest on others.
func (h helpers) names() []string {
	names := make([]string, 0, len(h))
	for n := range h {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := strings.HasPrefix(names[i], "op2_atomic_"), strings.HasPrefix(names[j], "op2_atomic_")
		if a != b {
			return b
		}
		return names[i] < names[j]
	})
	return names
}
