package tuning

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/wisdom"
)

// Dat is what findings about the layout of a dat are kept by: all its loops share it, whatever they compute.
type Dat struct {
	Name, Set, Machine string
	Values             string // of an element: "4 float64"
	Otherwise          tune.Layout
}

// layouts begins the class of findings about layouts.
const layouts = "layout, otherwise "

// key returns what a finding about the dat's layout is kept by.
func (d Dat) key() wisdom.Key {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", d.Name, d.Set, d.Values))
	return wisdom.Key{Loop: hex.EncodeToString(sum[:]), Machine: d.Machine, Class: layouts + string(d.Otherwise)}
}

// Layout returns the layout that wisdom has for a dat; "" for none. With the word layouts, one that learns notes that there is
// such a dat if its layout is not decided, or was refused for last digits, and others take also what is not decided yet.
func (t *Tuner) Layout(d Dat) tune.Layout {
	if t == nil {
		return ""
	}
	f, found := t.wisdom.Find(d.key(), wisdom.Estimate)
	refused := slices.ContainsFunc(f.Tried, func(tried wisdom.Tried) bool { return tried.Refused != "" })
	switch trying := t.Mode.Layouts && !t.Mode.Learn; {
	case t.Mode.Layouts && t.Mode.Learn && (f.Rigor == wisdom.Estimate || refused):
		if !found {
			f = wisdom.Finding{Key: d.key(), Name: fmt.Sprintf("%s on %s (%s)", d.Name, d.Set, d.Values), Breadth: -1}
		}
		f.When = time.Now().UTC()
		t.wisdom.Add(f)
		return ""
	case f.Rigor < t.Mode.Rigor && !trying:
		return ""
	}
	c, err := choice.Parse(f.Choice)
	if err != nil {
		return ""
	}
	return c.Layout
}

// OtherLayout returns the choice to try for a dat, given a finding about its layout; "" for findings about loops.
func OtherLayout(f wisdom.Finding) string {
	otherwise, is := strings.CutPrefix(f.Class, layouts)
	if !is {
		return ""
	}
	return choice.Choices{Layout: tune.LayoutOf(tune.Layout(otherwise) != tune.SoA)}.String()
}
