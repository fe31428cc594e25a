package packs

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// walker prints the loop program for packs: locals hold vectors, with one value for each element of a
// pack.
type walker struct{ *Packs }

// values returns a statement for every number d of n values.
func values(n int, s string) string { return fmt.Sprintf("for (int d = 0; d < %d; d++) %s", n, s) }

// lanesOf returns a statement for every element l of a pack.
func lanesOf(s string) string { return "for (int l = 0; l < OP2_LANES; l++) " + s }

// Declare declares local number n.
func (k walker) Declare(n int) {
	l := k.lowered.Locals[n]
	if r := k.lowered.Reduction(n); r != nil && r.Combine == lower.Combine {
		k.locals[n] = k.Partial(r.Arg)
		return
	}
	vec := k.vec.Name(l.Type)
	role := "pack"
	switch {
	case !l.Pack:
		vec, role = l.Type.C(), "all"
	case l.Role == lower.Share:
		role = "own"
	}
	name := k.Local(l.Param, role)
	k.locals[n] = name
	decl := fmt.Sprintf("%s %s[%d]", vec, name, max(1, l.Rows)*l.Dim)
	deep := 1
	if k.rowsApart(l) {
		decl, deep = fmt.Sprintf("%s %s[%d][%d]", vec, name, l.Rows, l.Dim), 2
	}
	begins := k.lowered.Begins(n)
	switch {
	case l.Role == lower.Share:
	case begins == lower.Zero || begins == lower.Nothing && !l.Loop && k.vec.Masks(): // masks select between this and the previous value
		decl += " = " + k.vec.Zero(l.Type, deep)
	}
	if l.Loop {
		k.ahead = append(k.ahead, decl+";")
	} else {
		k.before = append(k.before, decl+";")
	}
	if r := k.lowered.Reduction(n); r != nil {
		from := "0"
		if r.Begin == lower.Load {
			from = k.Data[r.Data] + "[d]"
		}
		k.ahead = append(k.ahead, values(l.Dim, fmt.Sprintf("%s[d] = %s(%s);", name, k.vec.Use("all", l.Type), from)))
		k.last = append(k.last, values(l.Dim, lanesOf(k.Scalar.Put(r.Finish, l.Type, k.Partial(r.Arg)+"[d]", name+"[d][l]"))))
	}
}

// rowsApart reports whether the kernel takes the rows of a local as an array of arrays.
func (k *Packs) rowsApart(l lower.Local) bool {
	if l.Rows == 0 {
		return false
	}
	t, ok := kernel.Elem(k.lowered.Params[l.Param].Var.Type).(*kernel.Array)
	return ok && facts.IsArray(t.Elem)
}

func (k *Packs) rowOf(n, c int) string {
	l, name := k.lowered.Locals[n], k.locals[n]
	switch {
	case l.Rows == 0:
		return name
	case k.rowsApart(l):
		return fmt.Sprintf("%s[%d]", name, c)
	}
	return fmt.Sprintf("%s + %d", name, c*l.Dim)
}

// HandOver adds the kernel's argument for parameter i.
func (k walker) HandOver(i int) {
	p := &k.lowered.Params[i]
	switch p.Pass {
	case lower.InPlace:
		k.pass = append(k.pass, k.Data[p.Place.Data])
	case lower.OwnRows:
		l, name := k.lowered.Locals[p.Local], k.Local(i, "rows")
		rows := make([]string, l.Rows)
		for c := range rows {
			rows[c] = k.rowOf(p.Local, c)
		}
		k.before = append(k.before, fmt.Sprintf("%s *%s[%d] = {%s};", k.vec.Name(l.Type), name, l.Rows, strings.Join(rows, ", ")))
		k.pass = append(k.pass, name)
	default:
		k.pass = append(k.pass, k.locals[p.Local])
	}
}

// Moves adds the statements of moves, unless Declare has made them part of a declaration.
func (k walker) Moves(list []lower.Move) {
	for _, m := range list {
		k.move(m)
	}
}

// Scatter is not called: packs assemble no matrices.
func (k walker) Scatter(lower.Scatter) {}

// move adds the statements of a move: ahead of the loop if all packs have the same value, otherwise before or
// after the call, row by row.
func (k *Packs) move(m lower.Move) {
	l, name := k.lowered.Locals[m.Local], k.locals[m.Local]
	switch {
	case l.Role == lower.Share:
		k.moveShare(m, l, name, k.locals[m.Place.Local])
	case m.Place.Kind == lower.ElementNo:
		k.before = append(k.before, lanesOf(fmt.Sprintf("%s[0][l] = %s;", name, k.element())))
	case l.Role == lower.Number:
		k.before = append(k.before, lanesOf(fmt.Sprintf("%s[0][l] = %s[%s];", name, k.Data[m.Place.Data], k.element())))
	case m.Place.Kind == lower.Global:
		from := k.Data[m.Place.Data] + "[d]"
		if l.Pack {
			from = k.vec.Use("all", l.Type) + "(" + from + ")"
		}
		k.ahead = append(k.ahead, values(l.Dim, fmt.Sprintf("%s[d] = %s;", name, from)))
	case m.Do == lower.Identity:
		k.identity(m, l, name)
	case m.Do != lower.Zero:
		for c := range m.Rows {
			k.moveRow(m, l, c)
		}
	}
}

// identity fills a local with the identity of an operation.
func (k *Packs) identity(m lower.Move, l lower.Local, name string) {
	value := k.vec.Use("all", l.Type) + "(" + k.Scalar.Identity(m.By, k.In.Loop.Ops[m.By], l, "d") + ")"
	if k.rowsApart(l) {
		k.before = append(k.before, fmt.Sprintf("for (int c = 0; c < %d; c++) %s", l.Rows, values(l.Dim, name+"[c][d] = "+value+";")))
		return
	}
	for c := range max(1, l.Rows) {
		k.before = append(k.before, values(l.Dim, fmt.Sprintf("(%s)[d] = %s;", k.rowOf(m.Local, c), value)))
	}
}

// combine adds the statement that combines what the elements of a pack leave, in their order, by an operation with
// what is at to, a pointer to n scalars.
func (k *Packs) combine(m lower.Move, l lower.Local, to, pack string) {
	own := k.Scalar.Fresh("own")
	k.after = append(k.after, lanesOf(fmt.Sprintf("{ %s %s[%d]; %s %s }", l.Type.C(), own, m.Dim, values(m.Dim, fmt.Sprintf("%s[d] = (%s)[d][l];", own, pack)),
		k.Scalar.Whole(&k.lowered.Params[l.Param], l, m.Dim, m.Do, k.In.Op(m.Do, m.By), to, own))))
}

// moveShare starts or ends the contribution of a pack's elements to a partial result.
func (k *Packs) moveShare(m lower.Move, l lower.Local, name, result string) {
	switch m.Do {
	case lower.Identity:
		k.identity(m, l, name)
	case lower.Combine:
		k.combine(m, l, result, name)
	case lower.Zero:
		k.before = append(k.before, values(l.Dim, name+"[d] = "+k.vec.Use("all", l.Type)+"(0);"))
	case lower.Load:
		k.before = append(k.before, values(l.Dim, name+"[d] = "+result+"[d];"))
	case lower.Add:
		k.after = append(k.after, values(l.Dim, fmt.Sprintf("%s[d] += %s[d];", result, name)))
	default:
		k.after = append(k.after, values(l.Dim, fmt.Sprintf("%[1]s[d] = %[2]s(%[1]s[d], %[3]s[d]);", result, k.vec.Use(m.Do.String(), l.Type), name)))
	}
}

// moveRow moves row c of a dat's values into vectors before the kernel, or back after it. The values of
// consecutive elements are one vector if each has one; others are gathered as rows, and transposed. Rows of
// several components that add to the same dat are left to addInOrder where results must have the same bits.
func (k *Packs) moveRow(m lower.Move, l lower.Local, c int) {
	data, n, t, pack := k.Data[m.Place.Data], m.Dim, l.Type, k.rowOf(m.Local, c)
	if !k.lowered.Whole(m) {
		pack = fmt.Sprintf("%s + %d", k.locals[m.Local], m.Offset+c*m.Dim)
	}
	if m.Do == lower.Combine {
		k.combine(m, l, text.From(text.Offset(data, k.In.Loop.Data[m.Place.Data].Dim, k.reach(m.Place, c)+"[l]"), m.Place.First), pack)
		return
	}
	if m.Place.Some {
		k.moveSome(m, l, c, pack)
		return
	}
	if m.Do == lower.Min || m.Do == lower.Max { // element by element, since they may share the place
		place := fmt.Sprintf("%s[%s]", data, k.element())
		if m.Place.Map != loop.Direct || n > 1 {
			place = fmt.Sprintf("%s[%d * %s[l] + d]", data, n, k.reach(m.Place, c))
		}
		k.after = append(k.after, values(n, lanesOf(k.Scalar.Put(m.Do, t, place, "("+pack+")[d][l]"))))
		return
	}
	if m.Do == lower.Add && k.In.Options.SameBits && k.addedRows(m.Place.Data) > 1 {
		k.additions = append(k.additions, addition{m.Place.Data, l.Type, n, k.reach(m.Place, c), pack})
		return
	}
	if m.Place.Map == loop.Direct && n == 1 && k.Elements == "" { // contiguous
		qualifier := ""
		if m.Do == lower.Load && k.In.Loop.DataAccess(m.Place.Data) == loop.Read {
			qualifier = "const "
		}
		place := fmt.Sprintf("*(%s%s%s_u *)(%s + %s)", k.Target.Global, qualifier, k.vec.Name(t), data, k.Elem)
		switch m.Do {
		case lower.Load:
			k.before = append(k.before, pack+"[0] = "+place+";")
		case lower.Store:
			k.after = append(k.after, place+" = "+pack+"[0];")
		default:
			k.after = append(k.after, place+" += "+pack+"[0];")
		}
		return
	}
	at := k.reach(m.Place, c)
	if m.Do == lower.Load {
		k.before = append(k.before, fmt.Sprintf("%s(%s, %s, %s, %d);", k.vec.Move("load", t, n), pack, data, at, n))
		return
	}
	move := map[lower.Op]string{lower.Store: "store", lower.Add: "increase"}[m.Do]
	k.after = append(k.after, fmt.Sprintf("%s(%s, %s, %s, %d);", k.vec.Move(move, t, n), data, at, pack, n))
}

// moveSome moves some values of a row element by element: they are apart.
func (k *Packs) moveSome(m lower.Move, l lower.Local, c int, pack string) {
	place := fmt.Sprintf("%s[%d * %s[l] + %s]", k.Data[m.Place.Data], k.In.Loop.Data[m.Place.Data].Dim, k.reach(m.Place, c), text.Value(m.Place.First, "d"))
	if m.Do == lower.Load {
		k.before = append(k.before, values(m.Dim, lanesOf(fmt.Sprintf("(%s)[d][l] = %s;", pack, place))))
		return
	}
	k.after = append(k.after, values(m.Dim, lanesOf(k.Scalar.Put(m.Do, l.Type, place, "("+pack+")[d][l]"))))
}

// printTargets declares the arrays of element numbers.
func (k *Packs) printTargets(w *text.Writer) {
	for _, t := range k.at {
		w.Line("int64_t %s[OP2_LANES];", t.name)
		if t.m == loop.Direct {
			w.Line("%s", lanesOf(fmt.Sprintf("%s[l] = %s;", t.name, k.element())))
			continue
		}
		from := fmt.Sprintf("%s[%d * l + %d]", k.Row[t.m], k.In.Loop.Maps[t.m].Arity, t.component)
		if k.Elements != "" {
			from = fmt.Sprintf("%s[%d * %s[l] + %d]", k.Maps[t.m], k.In.Loop.Maps[t.m].Arity, k.at[0].name, t.component)
		}
		w.Line("%s", lanesOf(fmt.Sprintf("%s[l] = %s;", t.name, from)))
	}
}

// element returns the number of the element in lane l.
func (k *Packs) element() string {
	if k.Elements != "" {
		return fmt.Sprintf("%s[%s + l]", k.Elements, k.Elem)
	}
	return k.Elem + " + l"
}

// reach returns the name of the array of the elements that a pack reaches in row c of a place.
func (k *Packs) reach(place lower.Place, c int) string {
	component := place.Component + c
	for _, t := range k.at {
		if t.m == place.Map && t.component == component {
			return t.name
		}
	}
	name := k.Scalar.Fresh(fmt.Sprintf("at%d", len(k.at)))
	k.at = append(k.at, reached{place.Map, component, name})
	return name
}

// Where several rows of a pack are added to one dat, the order of additions matters. Elements one by one
// add all rows of an element before those of the next; packs do so, too, if results must have the same bits.

// addedRows returns the number of rows that an element adds to a dat.
func (k *Packs) addedRows(data int) int {
	n := 0
	for _, m := range k.lowered.Moves {
		if m.Do == lower.Add && m.Place.Kind == lower.Values && m.Place.Data == data {
			n += m.Rows
		}
	}
	return n
}

// addInOrder adds the statements for the additions to each dat: all rows of the first element of a pack, then
// all of the second, as the loop over single elements adds them. Row by row, an element's second row would
// come after the first rows of later elements, which may share its target.
func (k *Packs) addInOrder() {
	for d := range k.In.Loop.Data {
		var at, rows []string
		var first addition
		for _, a := range k.additions {
			if a.data == d {
				first, at, rows = a, append(at, a.at), append(rows, a.pack)
			}
		}
		if len(rows) == 0 {
			continue
		}
		vec := k.vec.Name(first.of)
		add := k.vec.AddInOrder(first.of, first.dim, len(rows))
		k.after = append(k.after, fmt.Sprintf("%s(%s, (const int64_t *[]){%s}, (const %s *[]){%s}, %d, %d);",
			add, k.Data[d], strings.Join(at, ", "), vec, strings.Join(rows, ", "), len(rows), first.dim))
	}
}
