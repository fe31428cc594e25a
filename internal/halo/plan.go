package halo

import (
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// Values says which of a dat's values are right on this rank; it is the same on all ranks. Prefixes
// count parts of the halo, as the package comment says.
type Values struct {
	Valid  int // the prefix of the set in which they are right
	Wanted int // the longest prefix that a loop has needed so far
}

// Arg is an argument of a loop, of those that a halo matters to: dats, and mats that are written.
type Arg struct {
	Dat    int // which of the dats; NoDat for a mat
	Access loop.Access
	Mapped bool // reached through a map
}

// NoDat is the dat of arguments that have none: of mats, the rows of elements are owned.
const NoDat = -1

// Loop holds the properties of a loop that decide on messages.
type Loop struct {
	Args       []Arg
	Subset     bool   // over some of the elements, or some layers of columns: it does not write all
	Restricted []bool // by dat: ranks exchange only the elements that it reaches, others stay as they are; nil: all
}

// Step is how ranks run a loop together.
type Step struct {
	// Execute is the prefix of the loop's set that is executed.
	Execute int
	// Before is by dat the prefix that must be valid before, at least where the loop reaches it. What
	// is missing has to be received: the parts after the valid prefix.
	Before []int
	// After is the state of each dat afterward.
	After []Values
}

// Plan returns how ranks with depth layers of halo run a loop.
//
// A loop that changes targets of maps, or mats, also executes E_1, for the contributions to owned
// elements. Others execute the owned elements, and more if they can do so without any further
// message, and thereby save the message of a later loop.
func Plan(l Loop, dats []Values, depth int) Step {
	least, most := l.prefixes(depth)
	s := Step{Execute: least, Before: l.needed(least, len(dats))}
	whole := make([]int, len(dats)) // prefixes that are valid before, not only where the loop reaches them
	for i, d := range dats {
		s.Before[i] = max(s.Before[i], d.Valid)
		if whole[i] = s.Before[i]; l.Restricted != nil && l.Restricted[i] {
			whole[i] = d.Valid
		}
	}
	best := satisfied(l.after(least, whole), dats)
	for x := least + 1; x <= most && within(l.needed(x, len(dats)), whole); x++ {
		if n := satisfied(l.after(x, whole), dats); n > best {
			s.Execute, best = x, n
		}
	}
	valid, needed := l.after(s.Execute, whole), l.needed(s.Execute, len(dats))
	for i, d := range dats {
		s.After = append(s.After, Values{valid[i], max(d.Wanted, needed[i])})
	}
	return s
}

// Writes reports whether the loop changes the dat.
func (l *Loop) Writes(dat int) bool {
	return slices.ContainsFunc(l.Args, func(a Arg) bool { return a.Dat == dat && a.Access != loop.Read })
}

// prefixes returns the shortest and the longest prefix that the loop can execute.
func (l *Loop) prefixes(depth int) (least, most int) {
	most = 2 * depth
	for _, a := range l.Args {
		if a.Mapped || a.Dat == NoDat {
			most = 2*depth - 1 // no maps lead from the last part
			if a.Access != loop.Read {
				least = 1
			}
		}
	}
	return least, most
}

// reached returns the prefix of other sets to which maps lead from the prefix x.
func reached(x int) int { return 2 * (x/2 + 1) }

// complete returns the prefix of other sets to which no maps lead from what follows the prefix x,
// which is at least 1.
func complete(x int) int { return 2 * ((x - 1) / 2) }

// needed returns by dat the prefix that the loop reads if it executes the prefix x.
func (l *Loop) needed(x, dats int) []int {
	needed := make([]int, dats)
	for _, a := range l.Args {
		if a.Dat == NoDat {
			continue
		}
		n := &needed[a.Dat]
		switch {
		case a.Access == loop.Write:
		case !a.Mapped:
			*n = max(*n, x)
		case a.Access == loop.Read || a.Access == loop.RW:
			*n = max(*n, reached(x))
		}
	}
	return needed
}

// after returns by dat the prefix that is valid when the loop has executed the prefix x, from those
// that are valid before.
func (l *Loop) after(x int, before []int) []int {
	after := slices.Clone(before)
	written := make([]bool, len(before))
	for _, a := range l.Args {
		if a.Dat == NoDat || a.Access == loop.Read {
			continue
		}
		valid := x
		switch {
		case a.Mapped:
			valid = min(before[a.Dat], complete(x))
		case l.Subset:
			valid = min(before[a.Dat], x)
		}
		if written[a.Dat] {
			valid = min(valid, after[a.Dat])
		}
		after[a.Dat], written[a.Dat] = valid, true
	}
	return after
}

// within reports whether no prefix is longer than the other one.
func within(prefixes, others []int) bool {
	for i, p := range prefixes {
		if p > others[i] {
			return false
		}
	}
	return true
}

// satisfied returns how many of the dats are valid in all of the prefix that loops want.
func satisfied(valid []int, dats []Values) int {
	n := 0
	for i, d := range dats {
		if valid[i] >= d.Wanted {
			n++
		}
	}
	return n
}
