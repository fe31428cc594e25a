package halo

import "slices"

// Exchange is how ranks run some loops after one exchange of messages.
type Exchange struct {
	Steps []Step // of the loops, in order; all that has to be received is received before the first
}

// PlanChain returns how ranks with depth layers of halo run loops one after another, whose arguments
// number the same dats: with as few exchanges as the layers allow. Each exchange brings the dats of the loops
// up to the next one, to the depth to which they read them: where a later loop reads neighbors' values
// of a dat that an earlier one changes, the earlier one also runs on elements of the halo.
//
// Restricted is not considered: received values are valid everywhere.
func PlanChain(loops []Loop, dats []Values, depth int) []Exchange {
	var exchanges []Exchange
	for len(loops) > 0 {
		n, prefixes, before := together(loops, len(dats), depth)
		var e Exchange
		if n == 1 { // which may run further, to save a later exchange
			single := loops[0]
			single.Restricted = nil
			e.Steps = []Step{Plan(single, dats, depth)}
		} else {
			e.Steps = forward(loops[:n], prefixes, before, dats)
		}
		dats, loops = e.Steps[len(e.Steps)-1].After, loops[n:]
		exchanges = append(exchanges, e)
	}
	return exchanges
}

// together returns how many of the loops can run after one exchange, at least one, the prefix that each
// executes, and the prefixes of dats that must be valid before.
func together(loops []Loop, dats, depth int) (n int, prefixes, before []int) {
	for n = 1; n <= len(loops); n++ {
		x, b, ok := backward(loops[:n], dats, depth)
		if !ok {
			break
		}
		prefixes, before = x, b
	}
	return max(1, n-1), prefixes, before
}

// backward returns the shortest prefixes that the loops must execute for the values that a rank owns to
// be right after the last one, and the prefixes of dats that must be valid before the first. It reports
// whether the layers suffice.
func backward(loops []Loop, dats, depth int) (prefixes, before []int, ok bool) {
	prefixes, before = make([]int, len(loops)), make([]int, dats)
	for i := len(loops) - 1; i >= 0; i-- {
		if prefixes[i], before, ok = loops[i].before(before, depth); !ok {
			return nil, nil, false
		}
	}
	return prefixes, before, true
}

// before returns the shortest prefix that the loop must execute for prefixes of dats to be right after it,
// and those that must be valid before.
func (l *Loop) before(after []int, depth int) (x int, before []int, ok bool) {
	least, most := l.prefixes(depth)
	for x = least; x <= most; x++ {
		before = l.needed(x, len(after))
		for d, n := range after {
			if l.keeps(d) {
				before[d] = max(before[d], n)
			}
		}
		if within(after, l.after(x, before)) {
			return x, before, !slices.ContainsFunc(before, func(n int) bool { return n > 2*depth })
		}
	}
	return 0, nil, false
}

// keeps reports whether the loop leaves some values of a dat unchanged, or only adds to them.
func (l *Loop) keeps(dat int) bool {
	return !l.Writes(dat) || l.Subset || slices.ContainsFunc(l.Args, func(a Arg) bool { return a.Dat == dat && a.Mapped })
}

// forward returns the steps of loops that execute these prefixes.
func forward(loops []Loop, prefixes, before []int, dats []Values) []Step {
	valid := make([]int, len(dats))
	for i, d := range dats {
		valid[i] = max(d.Valid, before[i])
	}
	var steps []Step
	wanted := slices.Clone(dats)
	for i := range loops {
		s := Step{Execute: prefixes[i], Before: slices.Clone(valid)}
		valid = loops[i].after(prefixes[i], valid)
		for d, n := range loops[i].needed(prefixes[i], len(dats)) {
			wanted[d] = Values{valid[d], max(wanted[d].Wanted, n)}
		}
		s.After = slices.Clone(wanted)
		steps = append(steps, s)
	}
	return steps
}

// Repeated returns how ranks run a chain that is repeated, and how often they exchange messages in a call
// of it, and in one that runs loop by loop.
func Repeated(loops []Loop, dats []Values, depth int) (exchanges []Exchange, chained, apart int) {
	one, other := dats, dats
	for range 3 { // after which it repeats
		exchanges = PlanChain(loops, one, depth)
		chained, one = count(exchanges, one)
		apart = 0
		for _, l := range loops {
			l.Restricted = nil
			var n int
			n, other = count([]Exchange{{Steps: []Step{Plan(l, other, depth)}}}, other)
			apart += n
		}
	}
	return exchanges, chained, apart
}

// count returns the number of exchanges that have something to bring, and the values after them.
func count(exchanges []Exchange, dats []Values) (n int, after []Values) {
	for _, e := range exchanges {
		for i, d := range dats {
			if d.Valid < e.Steps[0].Before[i] {
				n++
				break
			}
		}
		dats = e.Steps[len(e.Steps)-1].After
	}
	return n, dats
}
