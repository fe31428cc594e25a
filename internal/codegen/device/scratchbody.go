package device

import (
	"fmt"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/text"
)

// scratchBody runs all elements of a range at once, as elementsBody does. The work-items of a warp read the values of
// their elements together, one after another from memory, into a scratchpad, from which each takes those of its own, and
// store results in reverse: section 4.1 of the OP2 Developers Guide.
func (g *deviceLoop) scratchBody(b *text.Writer) {
	from, last := g.number(codegen.SlotOffset, 0, "first"), g.number(codegen.SlotEnd, 0, "last")
	size := g.Options.GroupSize
	width, wait := g.warp, g.warpWait
	if width == 0 || size%width != 0 { // no warps, or one that is not full
		width, wait = size, g.barrier
	}
	rounds := len(g.reductions) > 0 || g.Options.Rounds
	bytes := 0 // of a work-item
	for _, s := range g.scratch {
		bytes = max(bytes, s.move.Dim*g.Loop.Data[s.move.Place.Data].Type.Size())
	}
	b.Line("%sint64_t scratch[%d];", g.sharedOwn, (size*bytes+7)/8)
	g.begin(b)
	b.Line("const int item = lane %% %d;", width)
	b.Line("%[1]schar *pad = (%[1]schar *)scratch + %[2]d * (lane - item);", g.shared, bytes)
	if rounds {
		per := g.number(codegen.SlotPer, 0, "per")
		b.Line("const int64_t start = %s + (int64_t)%s * group, end = start + %s < %s ? start + %s : %s;", from, per, per, last, per, last)
		b.Open("for (int64_t at = start + lane - item; at - lane + item < end; at += %d) {", size)
	} else {
		b.Line("const int64_t end = %s, at = %s + (int64_t)%d * group + lane - item;", last, from, size)
	}
	b.Line("const int count = end - at < %[1]d ? (int)(end - at) : %[1]d;", width)
	b.Line("const int64_t n = at + item;")
	for _, v := range g.declare {
		b.Line("%s", v)
	}
	pad := func(s scratched) (name, together, each string) {
		name = fmt.Sprintf("((%s%s *)pad)", g.shared, stored(g.Loop.Data[s.move.Place.Data].Type))
		together = fmt.Sprintf("for (int i = item; i < %d * count; i += %d)", s.move.Dim, width)
		return name, together, fmt.Sprintf("%d * item", s.move.Dim)
	}
	for _, s := range g.scratch {
		if !s.move.Do.Arrives() {
			continue
		}
		name, together, each := pad(s)
		b.Line("%s %s[i] = %s[%d * at + i];", together, name, g.values(s.move.Place.Data), s.move.Dim)
		b.Line("%s", wait)
		b.Line("if (item < count) %s", text.All(s.move.Dim, func(d, subscript string) string {
			return s.own(subscript) + " = " + name + "[" + each + " + " + d + "];"
		}))
		b.Line("%s", wait)
	}
	b.Open("if (item < count) {")
	for _, s := range g.load {
		b.Line("%s", s)
	}
	g.call(b, g.after())
	b.Close("")
	for _, s := range g.scratch {
		if s.move.Do.Arrives() {
			continue
		}
		name, together, each := pad(s)
		b.Line("if (item < count) %s", text.All(s.move.Dim, func(d, subscript string) string {
			return name + "[" + each + " + " + d + "] = " + s.own(subscript) + ";"
		}))
		b.Line("%s", wait)
		place := fmt.Sprintf("%s[%d * at + i]", g.values(s.move.Place.Data), s.move.Dim)
		b.Line("%s %s", together, g.p.Put(s.move.Do, g.Loop.Data[s.move.Place.Data].Type, place, name+"[i]"))
		b.Line("%s", wait)
	}
	if len(g.reductions) > 0 {
		b.Close("")
		g.reduce(b, "("+g.number(codegen.SlotBefore, 0, "before")+" + group)")
	}
}
