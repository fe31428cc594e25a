package device

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// deviceRoles are the suffixes of the names of locals on devices.
var deviceRoles = [...]string{
	lower.Number: "number", lower.Value: "value", lower.Partial: "partial", lower.Share: "own", lower.Copy: "own", lower.Copies: "own",
	lower.Matrix: "matrix",
}

func (v variable) String() string { return v.typ + " " + v.name + v.rest + ";" }

func (s setting) String() string {
	if s.name != "" {
		return s.name + " = " + s.value + ";"
	}
	return s.text
}

// local returns a name for a variable of parameter i.
func (g *deviceLoop) local(i int, role string) string {
	return g.p.Fresh(g.lowered.Params[i].Var.Name + "_" + role)
}

// Declare declares local n. Partial results are declared at the start of the work-item.
func (g *deviceLoop) Declare(n int) {
	l := g.lowered.Locals[n]
	name := g.local(l.Param, deviceRoles[l.Role])
	g.names[n], g.locals[n] = name, g.scalars(l, name)
	if r := g.lowered.Reduction(n); r != nil {
		g.values(r.Data)
		g.reductions = append(g.reductions, deviceReduction{Reduction: *r, l: l, name: name, partial: g.locals[n], partials: g.p.Fresh(g.data[r.Data] + "_partials")})
		return
	}
	g.declare = append(g.declare, g.declaration(l, name))
}

// sameRows splits the moves of a parameter where they turn to other rows of its local: its parts.
func sameRows(moves []lower.Move) [][]lower.Move {
	var list [][]lower.Move
	for i, m := range moves {
		if i == 0 || m.Offset != moves[i-1].Offset || m.Rows != moves[i-1].Rows || m.Dim != moves[i-1].Dim {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], m)
	}
	return list
}

// Moves adds the statements for moves: row by row, those of the same rows together.
func (g *deviceLoop) Moves(list []lower.Move) {
	for _, moves := range sameRows(list) {
		g.move(moves)
	}
}

// move adds the statements of the moves of one local: to load if values arrive before the call; to store if
// they leave after it; to collide if other elements may change the same place, where the strategy decides
// who stores when.
func (g *deviceLoop) move(moves []lower.Move) {
	l, name := g.lowered.Locals[moves[0].Local], g.locals[moves[0].Local]
	if l.Role == lower.Matrix {
		g.load = append(g.load, setting{text: text.FillMatrix(l, name, first(moves[0].Do, l.Type))})
		return
	}
	for c := range moves[0].Rows {
		for _, m := range moves {
			place := g.place(m.Place, c)
			own, where := text.Moved(m, l, name, c), g.where(m.Place, c)
			if g.throughScratch(m, l, own) {
				continue
			}
			if m.Do == lower.Identity {
				g.set(where, m.Dim, own, func(d, _ string) string { return g.p.Identity(m.By, g.Loop.Ops[m.By], l, d) })
				continue
			}
			if m.Do.Arrives() {
				if m.Do != lower.Load {
					place = func(string, string) string { return first(m.Do, l.Type) }
				}
				g.set(where, m.Dim, own, place)
				continue
			}
			s := ""
			if l.Whole(m.Do) {
				s = g.leaveWhole(m, l, g.names[m.Local], c)
			} else {
				s = g.leave(m, l, place, own)
			}
			if m.When == lower.Collide {
				g.collide = append(g.collide, where+s)
			} else {
				g.store = append(g.store, where+s)
			}
		}
	}
}

// where returns the condition of what is done with row c of a place: that a map whose rows vary in length leads there; "" if
// that is sure.
func (g *deviceLoop) where(at lower.Place, c int) string {
	if at.Kind != lower.Values || at.Map == loop.Direct || !g.Loop.Maps[at.Map].Varying {
		return ""
	}
	return fmt.Sprintf("if (%s >= 0) ", g.mapped(at.Map, at.Component+c))
}

// leave returns the statement that stores the values of a row.
func (g *deviceLoop) leave(m lower.Move, l lower.Local, place func(d, subscript string) string, own func(subscript string) string) string {
	return text.All(m.Dim, func(d, subscript string) string {
		if m.Atomic {
			return g.atomic(l.Type, m.Do) + "(&" + place(d, subscript) + ", " + own(subscript) + ");"
		}
		return g.p.Put(m.Do, l.Type, place(d, subscript), own(subscript))
	})
}

// first returns the initial value of a local of type t for an operation that loads nothing; "" for
// others.
func first(op lower.Op, t loop.Scalar) string {
	switch op {
	case lower.Zero:
		return "0"
	case lower.Poison:
		return text.PoisonValue(t)
	}
	return ""
}

// set adds the statement that initializes a row of a local, with n values, under a condition.
func (g *deviceLoop) set(where string, n int, own func(subscript string) string, value func(d, subscript string) string) {
	if n == 1 && !strings.HasSuffix(own(""), "]") {
		g.load = append(g.load, setting{name: own(""), value: value("0", "")})
		return
	}
	g.load = append(g.load, setting{text: where + text.All(n, func(d, subscript string) string { return own(subscript) + " = " + value(d, subscript) + ";" })})
}

// place returns a value of row c of a place, given its number and its subscript.
func (g *deviceLoop) place(at lower.Place, c int) func(d, subscript string) string {
	switch at.Kind {
	case lower.ElementNo:
		return func(string, string) string { return text.InColumn(at.Level, "n") }
	case lower.Result:
		return func(_, subscript string) string { return g.locals[at.Local] + subscript }
	case lower.Gathered:
		return func(_, subscript string) string { return "gathered" + subscript }
	case lower.Global:
		values := g.values(at.Data)
		return func(d, _ string) string { return values + "[" + d + "]" }
	}
	n := g.Loop.Data[at.Data].Dim
	if at.Kind == lower.Shared {
		number := g.localNumber(at.Data, at.Column+c)
		return func(d, _ string) string {
			return fmt.Sprintf("%s_shared[%s]", g.data[at.Data], text.Times(n, number, text.Value(at.First, d)))
		}
	}
	values := g.values(at.Data)
	number := func() string { // not every place is used
		if at.Map == loop.Direct {
			return "n"
		}
		return g.mapped(at.Map, at.Component+c)
	}
	if at.Level.Of > 0 && g.Loop.Data[at.Data].Column == 0 { // the declared numbers of columns
		return func(string, string) string { return text.InColumn(at.Level, fmt.Sprintf("%s[%s]", values, number())) }
	}
	level := text.AtLevel(at.Level, n/max(1, at.Level.Of))
	value := func(d string) string {
		switch {
		case level == "" || level == "0":
			return d
		case d == "0" && strings.HasPrefix(level, "("): // all of it
			return level
		case d == "0":
			return "(" + level + ")"
		}
		return "(" + level + " + " + d + ")"
	}
	if g.Loop.Data[at.Data].SoA {
		stride := g.number(codegen.SlotStride, at.Data, g.data[at.Data]+"_stride")
		return func(d, _ string) string {
			return fmt.Sprintf("%s[%s]", values, soa(number(), value(text.Value(at.First, d)), stride))
		}
	}
	return func(d, _ string) string {
		return fmt.Sprintf("%s[%s]", values, text.Times(n, number(), value(text.Value(at.First, d))))
	}
}

// HandOver adds the kernel's argument for parameter i.
func (g *deviceLoop) HandOver(i int) {
	p := &g.lowered.Params[i]
	if at := p.Place; p.Pass == lower.InPlace && at.Kind == lower.Shared {
		number := g.localNumber(at.Data, at.Column)
		g.pass = append(g.pass, g.p.Pass(p, fmt.Sprintf("%s_shared + %s", g.data[at.Data], text.Times(g.Loop.Data[at.Data].Dim, number, text.Value(at.First, "0"))), ""))
		return
	}
	if p.Pass == lower.InPlace {
		g.pass = append(g.pass, g.p.Pass(p, g.values(p.Place.Data), g.Global+"const "))
		return
	}
	l, name := g.lowered.Locals[p.Local], g.names[p.Local]
	switch {
	case p.Pass == lower.OwnRows:
		rows := g.local(i, "rows")
		g.declare = append(g.declare, variable{g.p.RowType(p), "*" + rows, fmt.Sprintf("[%d] = {%s}", l.Rows, strings.Join(g.p.RowsOf(p, g.starts(l, name)), ", "))})
		g.pass = append(g.pass, rows)
	case ckernel.Typed(p) && l.Rows > 0 && l.Record() == nil:
		g.pass = append(g.pass, g.p.Pass(p, name, ""))
	case ckernel.Typed(p):
		g.pass = append(g.pass, g.p.Pass(p, g.valueAt(l, name, 0, "0"), ""))
	case l.Rows == 0:
		g.pass = append(g.pass, text.Address(name, l.Dim))
	default:
		g.pass = append(g.pass, flat(name, l.Type, p.Var.Type, l.Dim > 1 || l.Role == lower.Matrix))
	}
}

// soa returns the place of a value in component-by-component storage.
func soa(at, value, stride string) string {
	switch value {
	case "0":
		return at
	case "1":
		return stride + " + " + at
	}
	return fmt.Sprintf("(int64_t)%s * %s + %s", value, stride, at)
}

// mapped returns the variable that holds the element that component c of map m leads to.
func (g *deviceLoop) mapped(m, c int) string {
	name := fmt.Sprintf("%s_%d", g.maps[m], c)
	if !g.reached[name] {
		g.reached[name] = true
		g.declare = append(g.declare, variable{"int64_t", name, ""})
		from := g.ints(codegen.SlotMap, m, g.maps[m])
		g.load = append(g.load, setting{name: name, reaches: true,
			value: fmt.Sprintf("%s[%s]", from, g.column(g.Loop.Maps[m].Arity, fmt.Sprint(c)))})
	}
	return name
}

// column returns the index of column c of the element in a table of that many columns.
func (g *deviceLoop) column(n int, c string) string {
	if n == 1 || !g.Options.Columns {
		return text.Times(n, "n", c)
	}
	return soa("n", c, g.number(codegen.SlotSize, 0, "size"))
}

// localNumber returns the variable that holds the index of a reference's values in the copy of data
// d in shared memory. Data that elements reach in the same ways have the same numbers.
func (g *deviceLoop) localNumber(d, column int) string {
	d = g.Loop.Alike(d)
	name := fmt.Sprintf("%s_%d", g.data[d], column)
	if !g.reached[name] {
		g.reached[name] = true
		g.declare = append(g.declare, variable{"int", name, ""})
		from := g.array(codegen.SlotLocal, d, "const uint16_t", g.data[d]+"_local")
		count := g.number(codegen.SlotLast, 0, "last")
		at := "n"
		if g.Options.Subset {
			at = "at"
		}
		g.load = append(g.load, setting{name: name, reaches: true, value: fmt.Sprintf("%s[%s]", from, soa(at, fmt.Sprint(column), count))})
	}
	return name
}

// flat passes an array of arrays in the form that the kernel's parameter takes: unchanged, or in C
// as a contiguous array of values.
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

// Scatter adds the statements that store a local matrix at its positions.
func (g *deviceLoop) Scatter(s lower.Scatter) {
	names, local, t := g.nonzeros[s.Nonzeros], g.locals[s.Local], g.lowered.Locals[s.Local].Type
	var at string
	if s.Search {
		rowMap, colMap := g.ints(codegen.SlotMap, s.Map, g.maps[s.Map]), g.ints(codegen.SlotMap, s.ColMap, g.maps[s.ColMap])
		at = fmt.Sprintf("%s(%s, %s, %s[%s], %s[%s])", g.p.Use("position"),
			g.ints(codegen.SlotRowPtr, s.Nonzeros, names.RowPtr), g.ints(codegen.SlotColIdx, s.Nonzeros, names.ColIdx),
			rowMap, g.column(s.Rows, "i"), colMap, g.column(s.Cols, "j"))
	} else {
		place := fmt.Sprintf("(%d * i + j)", s.Cols)
		if s.Layers > 0 {
			place = fmt.Sprintf("(%d * %s + %d * i + j)", s.Rows*s.Cols, text.LayerName, s.Cols)
		}
		at = fmt.Sprintf("%s[%s]", g.ints(codegen.SlotTable, s.Nonzeros, names.Table), g.column(s.Rows*s.Cols*max(1, s.Layers), place))
	}
	lines := []string{
		fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) {", s.Rows, s.Cols),
		"\tconst int64_t position = " + at + ";",
	}
	if s.Masked {
		lines = append(lines, "\tif (position < 0) continue;")
	}
	put := func(place, value string) string {
		if s.Atomic {
			return g.atomic(t, s.Do) + "(&" + place + ", " + value + ");"
		}
		return g.p.Put(s.Do, t, place, value)
	}
	values := g.values(s.Data)
	if s.RowDim == 1 && s.ColDim == 1 {
		lines = append(lines, "\t"+put(values+"[position]", local+text.MatrixAt(s, "i", "j")))
	} else {
		lines = append(lines, fmt.Sprintf("\tfor (int l = 0; l < %d; l++) for (int k = 0; k < %d; k++) ", s.ColDim, s.RowDim)+
			put(fmt.Sprintf("%s[%d * position + %d * l + k]", values, s.RowDim*s.ColDim, s.RowDim), local+text.MatrixAt(s, fmt.Sprintf("%d * i + k", s.RowDim), fmt.Sprintf("%d * j + l", s.ColDim))))
	}
	lines = append(lines, "}")
	if s.When == lower.Collide {
		g.collide = append(g.collide, lines...)
	} else {
		g.store = append(g.store, lines...)
	}
}

// atomic returns the name of the helper that combines a value atomically: by an instruction of the
// device, or by a loop of compare-and-swap.
func (g *deviceLoop) atomic(t loop.Scalar, op lower.Op) string {
	name := "op2_atomic_" + op.String() + "_" + t.C()
	word, swap := "uint32_t", g.swap32
	if t.Size() == 8 {
		word, swap = "uint64_t", g.swap64
	}
	sum := "old.value + value"
	if op != lower.Add {
		sum = g.p.UseFor(op.String(), t) + "(old.value, value)"
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
	if native := g.atomicAdd[t]; native != "" && op == lower.Add {
		body = "\t" + native + ";"
	}
	text := "FUNCTION void " + name + "(" + g.volatile + "GLOBALTYPE *place, TYPE value)\n{\n" + body + "\n}"
	g.p.AddHelper(name, strings.ReplaceAll(text, "TYPE", t.C()))
	return name
}

func (g *deviceLoop) usesAtomic64() bool {
	wide := func(atomic bool, local int) bool { return atomic && g.lowered.Locals[local].Type.Size() == 8 }
	return slices.ContainsFunc(g.lowered.Moves, func(m lower.Move) bool { return wide(m.Atomic, m.Local) }) ||
		slices.ContainsFunc(g.lowered.Scatters, func(s lower.Scatter) bool { return wide(s.Atomic, s.Local) })
}

// leaveWhole returns the statement that combines the values of row c of a local with those of a place.
func (g *deviceLoop) leaveWhole(m lower.Move, l lower.Local, name string, c int) string {
	place := g.place(m.Place, c)
	return text.EachWhole(m.Dim/l.Words(), func(v string) string {
		to := operand{at: func(d string) string { return place(g.scalarOf(l, v, d), "") }}
		if m.Place.Kind == lower.Result {
			to.private = g.valueAt(g.lowered.Locals[m.Place.Local], g.names[m.Place.Local], 0, v)
		}
		return g.combine(l, m.Do, m.By, to, operand{private: g.valueAt(l, name, m.Offset+c*m.Dim, v)})
	})
}
