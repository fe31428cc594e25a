package halo

import "github.com/go-op2/op2/internal/loop"

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

// Step is how ranks run a loop together.
type Step struct {
	// Execute is the prefix of the loop's set that is executed.
	Execute int
	// Before is by dat the prefix that must be valid before. What is missing has to be received:
	// the parts after the valid prefix.
	Before []int
	// After is by dat what is right afterwards.
	After []Values
}

// Plan returns how ranks with depth layers of halo run a loop. Loops over a subset do not write all
// elements of their set.
//
// A loop that changes what maps lead to, or mats, also executes E_1, for the contributions to what
// the rank owns. Others execute what the rank owns, and more if they can do so without any further
// message, and thereby save the message of a later loop.
func Plan(args []Arg, subset bool, dats []Values, depth int) Step {
	l := planned{args, subset, dats}
	least, most := l.range_(depth)
	before := l.needed(least)
	for i, d := range dats {
		before[i] = max(before[i], d.Valid)
	}
	s := Step{Execute: least, Before: before}
	best := l.satisfied(least, before)
	for x := least + 1; x <= most && l.ready(x, before); x++ {
		if n := l.satisfied(x, before); n > best {
			s.Execute, best = x, n
		}
	}
	valid, needed := l.after(s.Execute, before), l.needed(s.Execute)
	for i, d := range dats {
		s.After = append(s.After, Values{valid[i], max(d.Wanted, needed[i])})
	}
	return s
}

// planned is a loop that Plan plans.
type planned struct {
	args   []Arg
	subset bool
	dats   []Values
}

// range_ returns the shortest and the longest prefix that the loop can execute.
func (l *planned) range_(depth int) (least, most int) {
	most = 2 * depth
	for _, a := range l.args {
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
func (l *planned) needed(x int) []int {
	needed := make([]int, len(l.dats))
	for _, a := range l.args {
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

// ready reports whether all that the loop reads if it executes the prefix x is valid.
func (l *planned) ready(x int, before []int) bool {
	for i, n := range l.needed(x) {
		if n > before[i] {
			return false
		}
	}
	return true
}

// after returns by dat the prefix that is valid when the loop has executed the prefix x.
func (l *planned) after(x int, before []int) []int {
	after := append([]int(nil), before...)
	written := make([]bool, len(before))
	for _, a := range l.args {
		if a.Dat == NoDat || a.Access == loop.Read {
			continue
		}
		valid := x
		switch {
		case a.Mapped:
			valid = min(before[a.Dat], complete(x))
		case a.Access != loop.Write || l.subset:
			valid = min(before[a.Dat], x)
		}
		if written[a.Dat] {
			valid = min(valid, after[a.Dat])
		}
		after[a.Dat], written[a.Dat] = valid, true
	}
	return after
}

// satisfied returns how many of the dats that the loop writes are valid afterwards in all of the
// prefix that loops want.
func (l *planned) satisfied(x int, before []int) int {
	n := 0
	for i, valid := range l.after(x, before) {
		if valid >= l.dats[i].Wanted {
			n++
		}
	}
	return n
}
