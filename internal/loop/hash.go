package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Hash identifies what a loop means: the key for whatever is learned about a loop or made from it,
// on any machine. It is the SHA-256 of the text that Meaning returns.
type Hash [sha256.Size]byte

// String returns the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Short returns the first digits of String, enough to tell apart the loops of a program.
func (h Hash) Short() string { return h.String()[:10] }

// Hash returns the hash of the loop over a set, or over a subset, with a kernel that means the
// given text.
func (l *Loop) Hash(subset bool, kernel string) Hash {
	return sha256.Sum256([]byte(l.Meaning(subset, kernel)))
}

// meaningVersion is the first line of a meaning. It must change with the text of any loop.
const meaningVersion = "op2 loop 1"

// Meaning returns the text that the loop's Hash is computed from; kernel is what the kernel means.
//
// Two loops have the same text if they compute the same, and code generated for one could serve for
// the other but for names. It contains, in this order and one per line: its version; whether the
// loop is over a set or a subset; the distinct data, with kind, type and shape, and how values lie in
// memory that are not plain scalars; the arity of the distinct maps; the distinct ways to nonzeros;
// the arguments, with access, the numbers of their data and maps, and where those are that share a
// parameter; and the kernel. It does not contain sizes, names, layouts of devices, whether nonzeros
// are searched for, or options: these say how large a loop is and how it runs.
func (l *Loop) Meaning(subset bool, kernel string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(meaningVersion)
	if subset {
		line("over subset")
	} else {
		line("over set")
	}
	for _, d := range l.Data {
		line("%s", d.meaning())
	}
	for _, m := range l.Maps {
		if m.Varying {
			line("map to %d", m.Arity)
		} else {
			line("map %d", m.Arity)
		}
	}
	for _, e := range l.Nonzeros {
		if e.Masked {
			line("entries %d %d masked", e.Rows, e.Cols)
		} else {
			line("entries %d %d", e.Rows, e.Cols)
		}
	}
	if l.Layers.Of > 0 {
		first, last := l.Layers.Range()
		switch {
		case l.Layers.Bounds > 0:
			line("layers in data %d, region %d of %d", l.Layers.Bounds-1, l.Layers.Region, l.Layers.Of)
		default:
			line("layers %d to %d of %d", first, last, l.Layers.Of)
		}
	}
	for _, v := range l.Levels {
		line("levels %d by %d", v.First, v.Step)
	}
	for _, a := range l.Args {
		line("%s%s%s%s", a.meaning(), a.level(), a.part(), a.single())
	}
	for _, op := range l.Ops {
		line("%s from %x", op.Meaning, op.Identity)
	}
	b.WriteString(kernel)
	return b.String()
}

// part returns where an argument is in a parameter of parts; "" for one that is the whole.
func (a Arg) part() string {
	switch {
	case !a.Part():
		return ""
	case a.Next:
		return fmt.Sprintf(" next at %d of %d by %d", a.Offset, a.Rows, a.Cols)
	}
	return fmt.Sprintf(" at %d of %d by %d", a.Offset, a.Rows, a.Cols)
}

// level returns which levels an argument reaches; "" for one that reaches all.
func (a Arg) level() string {
	if a.Levels == 0 {
		return ""
	}
	return fmt.Sprintf(" levels %d", a.Levels-1)
}

// single returns the value that an argument passes alone; "" if it passes all.
func (a Arg) single() string {
	if a.Single == 0 {
		return ""
	}
	return fmt.Sprintf(" value %d", a.Single-1)
}

func (d Data) meaning() string {
	text := fmt.Sprintf("%s %s %d", d.Kind, d.Type, d.Dim)
	if d.Kind == Mat {
		text += fmt.Sprintf(" by %d", d.ColDim)
	}
	if d.Value != nil {
		text += " of " + d.Value.Meaning()
	}
	if d.Column > 0 {
		text += fmt.Sprintf(" in columns of %d", d.Column)
	}
	if d.Fresh {
		text += " fresh"
	}
	return text
}

func (a Arg) meaning() string {
	switch {
	case a.Access == Reduce:
		plain := a
		plain.Access = Inc
		return fmt.Sprintf("%s by operation %d", plain.meaning(), a.Op)
	case a.Counts > 0:
		return fmt.Sprintf("argument lengths data %d map %d", a.Data, a.Counts-1)
	case a.Kind == Index && a.Data < 0:
		return "argument index"
	case a.Kind == Index:
		return fmt.Sprintf("argument index data %d", a.Data)
	case a.Kind == Mat:
		return fmt.Sprintf("argument %s data %d entries %d", a.Access, a.Data, a.Nonzeros)
	case a.Map == Direct && a.WholeMap():
		return fmt.Sprintf("argument %s data %d all", a.Access, a.Data)
	case a.Map == Direct:
		return fmt.Sprintf("argument %s data %d", a.Access, a.Data)
	case a.WholeMap() && a.Map != Direct:
		return fmt.Sprintf("argument %s data %d map %d all", a.Access, a.Data, a.Map)
	}
	return fmt.Sprintf("argument %s data %d map %d component %d", a.Access, a.Data, a.Map, a.Component)
}
