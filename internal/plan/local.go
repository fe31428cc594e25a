package plan

// numbering is one set of slots whose targets are numbered within each block.
type numbering struct {
	spans []span
	width int // slots
	table int // in Plan.Tables, or -1
	layer int // in Plan.Colored, if elements are colored by it, or -1
}

// number finds the distinct targets of the elements in [lo, hi), appends them in order to targets,
// and writes for each element and slot the index of its target among them, or -1, to local,
// [hi-lo][width].
func (n *numbering) number(set *rankSet, lo, hi int, buffer, targets, local []int32) []int32 {
	start := len(targets)
	for i := range n.spans {
		set.add(n.spans[i].targets(lo, hi, buffer))
	}
	targets = set.list(targets)
	slot := 0
	for i := range n.spans {
		s := &n.spans[i]
		refs := s.targets(lo, hi, buffer)
		if s.count == n.width {
			set.ranks(local, refs)
			break
		}
		for at := slot; len(refs) > 0; at += n.width {
			set.ranks(local[at:], refs[:s.count])
			refs = refs[s.count:]
		}
		slot += s.count
	}
	set.forget(targets[start:])
	return targets
}

// ranks computes the ranks of numbers in the set, and -1 for negative ones.
func (s *rankSet) ranks(dst, numbers []int32) {
	for i, n := range numbers {
		if n < 0 {
			dst[i] = -1
		} else {
			dst[i] = s.rank(n)
		}
	}
}
