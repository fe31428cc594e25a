package core

// torn says which loops an error concerns that ends a sequence of loops: those from first up to last
// may have run in part, and one of them has failed. Earlier ones have run, later ones have not.
type torn struct{ first, last, at int }

// among returns the same among calls, given places among their loops.
func (t torn) among(calls []queued) torn {
	var places []int
	for i := range calls {
		if calls[i].loop != nil {
			places = append(places, i)
		}
	}
	return torn{places[t.first], places[t.last-1] + 1, places[t.at]}
}

// places returns the same among the places of a chain, given loops, the first of which has that place.
func (t torn) places(first int, loops []*Loop) torn {
	before := first + width(loops[:t.first])
	return torn{before, first + width(loops[:t.last]), first + width(loops[:t.at]) + loops[t.at].failing}
}
