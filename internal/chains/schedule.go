package chains

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/tiling"
)

// schedule returns the schedule of loops, changed if a test says so.
func (c *settings) schedule(in *tiling.Input) (*tiling.Schedule, error) {
	s, err := tiling.Inspect(in)
	if f := c.tests.spoil; f != nil && err == nil {
		f(s)
	}
	return s, err
}

// disproved returns the error for a schedule of loops that is wrong.
func (t *inspection) disproved(loops []*member, err error) error {
	var names []string
	for _, l := range loops {
		names = append(names, strings.TrimPrefix(l.Name(), "loop "))
	}
	element := func(at, e int) string {
		if s := t.Loops[at].Subset; s != nil {
			e = int(s[e])
		}
		return fmt.Sprintf("element %d of %s", t.sets[t.Loops[at].Set].NumberHere(e), loops[t.of[at]].Name())
	}
	msg := strings.TrimPrefix(err.Error(), "chain: ")
	if s := (*tiling.Stray)(nil); errors.As(err, &s) {
		msg = element(s.Loop, s.Element) + " " + s.Does
	}
	if f := (*tiling.Fault)(nil); errors.As(err, &f) {
		d := t.dats[f.Storage]
		use := func(u tiling.Use) string {
			return fmt.Sprintf("%s (%s, %s)", element(u.Loop, u.Element), d.Name(), u.Access.Participle())
		}
		msg = fmt.Sprintf("%s %s %s; both use element %d of %s", use(f.First), f.How(), use(f.Second), d.Set().NumberHere(f.Value), d.Set().Name())
	}
	return errors.New(problem.Message("the tiles of the chain "+strings.Join(slices.Compact(names), ", "), msg,
		`this is a mistake of op2: please report it; the chain's With(op2.WithChains(op2.Fuse)) makes no tiles`))
}
