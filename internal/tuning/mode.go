package tuning

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/wisdom"
)

// Mode is what a runtime does about tuning. The zero value is nothing.
type Mode struct {
	Use      bool         // choices come from wisdom
	Learn    bool         // and trials add to it
	Rigor    wisdom.Rigor // of trials, and of the wisdom that is used, at least
	Blocks   bool         // block sizes may change, and with them the last digits of sums, in another order than threads and packs do
	Override bool         // what the user has chosen for all loops is where trials begin, and may change
	Layouts  bool         // dats whose layout is not known are noted, or used in the layout that is to be tried
	Chains   bool         // what chains of loops are turned into is tried, with what wisdom says of the loops
	Breadth  Breadth      // of what is tried
	Verify   bool         // results are compared with those of the untuned loop before a choice is timed
}

// Breadth is how much is tried.
type Breadth int

// The breadths.
const (
	Likely     Breadth = iota // what often pays
	Genetic                   // some of all combinations, and then others that the best of them lead to
	Exhaustive                // all choices in all combinations
)

var words = []string{"off", "use", "learn", "estimate", "measure", "patient", "blocks", "override", "verify", "exhaustive", "genetic", "layouts", "chains"}

// ParseMode returns the mode of a text like "learn,patient,blocks": off, use or learn, with the rigor and what else is
// permitted.
func ParseMode(text string) (Mode, error) {
	m, kind := Mode{Rigor: wisdom.Measure}, ""
	for word := range strings.SplitSeq(text, ",") {
		switch word {
		case "off", "use", "learn":
			if kind != "" {
				return Mode{}, fmt.Errorf("expected one of off, use and learn, not %s and %s", kind, word)
			}
			kind, m.Use, m.Learn = word, word != "off", word == "learn"
		case "estimate", "measure", "patient":
			m.Rigor = wisdom.Rigor(slices.Index(words, word) - slices.Index(words, "estimate"))
		case "blocks":
			m.Blocks = true
		case "override":
			m.Override = true
		case "layouts":
			m.Layouts = true
		case "chains":
			m.Chains = true
		case "verify":
			m.Verify = true
		case "exhaustive":
			m.Breadth = Exhaustive
		case "genetic":
			m.Breadth = Genetic
		default:
			return Mode{}, spell.Expected(word, words)
		}
	}
	switch {
	case kind == "":
		return Mode{}, errors.New("expected off, use or learn first")
	case kind == "off" || m.Rigor == wisdom.Estimate:
		return Mode{}, nil
	}
	return m, nil
}

// String returns the text of a mode.
func (m Mode) String() string {
	if !m.Use {
		return "off"
	}
	all := []string{"use", m.Rigor.String()}
	if m.Learn {
		all[0] = "learn"
	}
	if m.Blocks {
		all = append(all, "blocks")
	}
	if m.Override {
		all = append(all, "override")
	}
	switch m.Breadth {
	case Exhaustive:
		all = append(all, "exhaustive")
	case Genetic:
		all = append(all, "genetic")
	}
	if m.Layouts {
		all = append(all, "layouts")
	}
	if m.Chains {
		all = append(all, "chains")
	}
	if m.Verify {
		all = append(all, "verify")
	}
	return strings.Join(all, ",")
}
