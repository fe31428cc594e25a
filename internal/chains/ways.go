package chains

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
)

// Whether a chain is fused or runs by tiles, and how large these are, is a choice that is kept as wisdom. It is found by trials on
// the program's own calls, between groups that leave the same bits.

// ways are groups that compute the same in other ways. Nil has none.
type ways struct {
	search *tuning.Search
	groups []*group // by the search's choices; the first is the group itself, as estimated. Nil before they are prepared
}

// decide makes the group run as wisdom says, or try what it may be turned into.
func (c *group) decide() error {
	t := c.rt.Config().Tuner
	c.decided = true
	if t == nil || c.chosen() != tune.Auto || c.repeated || len(c.places) < 2 || c.rt.Several() || c.rt.OnDevice() || c.rt.Config().Static || c.rt.Config().Backend.SameBits || !t.Chains() {
		return nil
	}
	name, about, members, err := c.about()
	if err != nil {
		return err
	}
	if !c.oneByOne() {
		if s := t.SearchChain(name, about, c.candidates(members)); s != nil {
			c.ways = &ways{search: s, groups: []*group{c}}
			return nil
		}
	}
	c.learned = t.Choose(about).Choices
	if c.tunes() && c.learned.Chains == tune.Tile { // its loops run by themselves
		c.learned.Chains = tune.Fuse
	}
	return nil
}

// about returns the name of the group, what choosers are told of it, and its loops.
func (c *group) about() (name string, about choice.Subject, members []*member, err error) {
	n, over, sum := numbering{}, []entity.Range(nil), sha256.New()
	for i, place := range c.places {
		l, err := place.Copy(true)
		if err != nil {
			return "", about, nil, err
		}
		members = append(members, &member{Loop: l})
		of, p := l.About(), n.part(l.Binding())
		fmt.Fprintln(sum, of.Loop, number(&over, l.Over()), p.Data, p.Storages, p.Maps)
		if i == 0 {
			about = of
		}
		about.Elements, about.Degree, about.Scatters = max(about.Elements, of.Elements), max(about.Degree, of.Degree), about.Scatters || of.Scatters
		name += ", " + strings.TrimPrefix(l.Name(), "loop ")
	}
	about.Name, about.Loop = "chain", [sha256.Size]byte(sum.Sum(nil))
	return "chain " + strings.TrimPrefix(name, ", "), about, members, nil
}

// candidates returns what a group with these loops may be turned into. Tiles of what a core's own cache holds win nothing.
func (c *group) candidates(members []*member) (all []choice.Choices) {
	if c.fusible() > 0 {
		all = append(all, choice.Choices{Chains: tune.Fuse})
	}
	if _, tiles := c.rt.Backend().(backend.Tiler); tiles && bytesOf(members) > int64(tune.CoreCache()) {
		for _, part := range []int{4, 2, 1} {
			all = append(all, choice.Choices{Chains: tune.Tile, Tile: tune.CoreCache() / part})
		}
	}
	return all
}

// errPlain is why a way is not tried that leaves the loops as they are.
var errPlain = errors.New("nothing is fused, and there are no tiles")

// prepare prepares the groups that take part in the trial.
func (w *ways) prepare(c *group) error {
	for i := len(w.groups); i < len(w.search.Choices); i++ {
		g := c.with(c.choice, c.temporaries)
		g.learned, g.decided = w.search.Choices[i], true
		w.groups = append(w.groups, g)
		if err := g.prepare(); err != nil {
			return err
		}
		for _, s := range g.segments {
			if err := s.ready(); err != nil {
				return err
			}
		}
		switch how := g.how(); {
		case !g.gains():
			w.search.Refuse(i, errPlain)
		case slices.ContainsFunc(w.groups[1:i], func(o *group) bool { return o.how() == how }):
			w.search.Refuse(i, run.ErrLikeAnother)
		}
	}
	return nil
}

// how says what is fused, and how many elements tiles have.
func (c *group) how() string {
	var all []string
	for _, s := range c.segments {
		for _, l := range s.loops {
			all = append(all, l.Name())
		}
		if s.tiled != nil {
			all = append(all, s.tiled.tiles.How())
		}
	}
	return strings.Join(all, ", ")
}

// run computes the loops of a group in the way whose turn it is.
func (w *ways) run(c *group) (t Affected, err error) {
	if w == nil {
		return c.run()
	}
	if err := w.prepare(c); err != nil {
		return Affected{0, 1, 0}, err
	}
	i, timed := w.search.Next(func(int) bool { return false })
	if err := w.groups[i].prepare(); err != nil { // maps may have changed
		return Affected{0, 1, 0}, err
	}
	if timed && i > 0 && w.groups[i].ran == 0 {
		differs, err := c.verify(w.groups[i])
		if err != nil {
			return Affected{0, 1, 0}, err
		}
		if differs != nil {
			w.search.Refuse(i, differs)
			i, timed = 0, false
		}
	}
	start := c.tests.clock()
	if t, err = w.groups[i].run(); timed && err == nil {
		w.search.Note(i, c.tests.clock()-start)
	}
	return t, err
}

// verify compares what a call leaves with that of another group.
func (c *group) verify(other *group) (differs, failed error) {
	call := func(g *group) func() error {
		return func() error {
			_, err := g.run()
			return err
		}
	}
	return run.Verify(c.places, c.temporaries, other.exact(), call(c), call(other))
}
