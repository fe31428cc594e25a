package op2

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
)

// WriteDeclarations writes a table of what has been declared and is still in use: sets, maps, dats, globals, mats and
// consts, with their sizes, types and the memory of their values. On several ranks it is collective, and rank 0 writes
// one table, of the mesh as a whole, with the least and the greatest number of elements and of halo copies of a rank.
// OP2_DIAGS=1, or more, writes it by itself, when the first loop is prepared.
func (rt *Runtime) WriteDeclarations(w io.Writer) error {
	if rt == nil || w == nil {
		return entity.Called(errors.New("op2: WriteDeclarations needs a runtime and a writer"))
	}
	return rt.do(func() error { return writeDeclarations(rt.core(), w) })
}

// writeDeclarations does the work of WriteDeclarations for callers that have entered the runtime.
func writeDeclarations(rt *entity.Runtime, w io.Writer) error {
	ranks, err := comm.Collect(rt.Comm(), rt.Listed())
	if err != nil {
		return problem.Errorf("op2: WriteDeclarations: %w", err)
	}
	if ranks == nil {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "kind\tname\ton\tholds\telements\t")
	if len(ranks) > 1 {
		fmt.Fprintf(t, "on a rank\thalo\t")
	}
	fmt.Fprintf(t, "MB\n")
	total := int64(0)
	for _, d := range together(ranks) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t", d.Kind, d.Name, d.On, d.Holds, d.Owned)
		if len(ranks) > 1 {
			fmt.Fprintf(t, "%s\t%s\t", d.owned, d.halo)
		}
		fmt.Fprintf(t, "%.3f\n", float64(d.Bytes)/1e6)
		total += d.Bytes
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%.3f MB of values in all\n", float64(total)/1e6)
	return err
}

// reportDeclared says what has been declared, on rank 0. It is collective.
func reportDeclared(rt *entity.Runtime, say func(string)) error {
	var text strings.Builder
	if err := writeDeclarations(rt, &text); err != nil || text.Len() == 0 {
		return err
	}
	where := rt.Name()
	if rt.Several() {
		where = fmt.Sprintf("%d ranks, rank 0 with %s", rt.Ranks(), where)
	}
	say("declared on " + where + ":\n" + strings.TrimSuffix(text.String(), "\n"))
	return nil
}

// declared is a declaration on all ranks: the sums of elements and bytes.
type declared struct {
	entity.Listed
	owned, halo bounds
}

// bounds are the least and the greatest number of a rank.
type bounds struct{ least, most int }

func (b bounds) String() string {
	if b.least == b.most {
		return fmt.Sprint(b.least)
	}
	return fmt.Sprintf("%d to %d", b.least, b.most)
}

// include extends the bounds by a number, which is the first if there are none yet.
func (b *bounds) include(n int, first bool) {
	if first {
		*b = bounds{n, n}
	}
	b.least, b.most = min(b.least, n), max(b.most, n)
}

// together combines each declaration of all ranks. A dat may be unreachable on some of them alone.
func together(ranks [][]entity.Listed) (all []*declared) {
	type key struct {
		kind, name, on, holds string
		again                 int // the number of equal ones before
	}
	found := map[key]*declared{}
	for _, listed := range ranks {
		again := map[key]int{}
		for _, l := range listed {
			k := key{l.Kind, l.Name, l.On, l.Holds, 0}
			again[k]++
			k.again = again[k]
			d := found[k]
			first := d == nil
			if first {
				d = &declared{Listed: l}
				found[k], all = d, append(all, d)
			} else {
				if d.Bytes += l.Bytes; !l.Whole {
					d.Owned += l.Owned
				}
			}
			d.owned.include(l.Owned, first)
			d.halo.include(l.Halo, first)
		}
	}
	return all
}
