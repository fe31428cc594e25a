package plan

// span is a run of consecutive components of one map, joined from consecutive slots.
type span struct {
	values []int32 // [set][arity]; nil: each element is its own target
	skip   int     // elements before the one numbered 0, if values is nil
	arity  int
	first  int // first component
	count  int // number of components
}

// targets returns the targets of the elements in [lo, hi), [hi-lo][count], including negative ones.
// They are the map's own values, or copied into the buffer, which is long enough.
func (s *span) targets(lo, hi int, buffer []int32) []int32 {
	if s.count == s.arity {
		return s.values[lo*s.arity : hi*s.arity]
	}
	return s.gather(lo, hi, buffer)
}

func (s *span) gather(lo, hi int, buffer []int32) []int32 {
	if s.values == nil {
		buffer = buffer[:hi-lo]
		for i := range buffer {
			buffer[i] = int32(s.skip + lo + i)
		}
		return buffer
	}
	buffer = buffer[:(hi-lo)*s.count]
	if s.count == 1 {
		at := lo*s.arity + s.first
		for i := range buffer {
			buffer[i] = s.values[at]
			at += s.arity
		}
		return buffer
	}
	for i, at := 0, lo*s.arity+s.first; i < len(buffer); i, at = i+s.count, at+s.arity {
		copy(buffer[i:i+s.count], s.values[at:])
	}
	return buffer
}

// from returns the span for elements that are numbered from first on.
func (s span) from(first int) span {
	if s.values == nil {
		s.skip += first
	} else {
		s.values = s.values[first*s.arity:]
	}
	return s
}

// spansOf joins slots that are consecutive in a map.
func (in *Input) spansOf(slots []Ref) []span {
	var spans []span
	for i, r := range slots {
		if i > 0 && r.Map != Direct && r.Map == slots[i-1].Map && r.Component == slots[i-1].Component+1 {
			spans[len(spans)-1].count++
			continue
		}
		s := span{first: r.Component, count: 1}
		if r.Map != Direct {
			m := in.mapOf(r.Map)
			s.values, s.arity = m.Values, m.Arity
		}
		spans = append(spans, s)
	}
	return spans
}

// room returns the length of a buffer for the targets of so many elements in any of the spans.
func room(spans []span, elements int) int {
	n := 0
	for _, s := range spans {
		if s.count != s.arity {
			n = max(n, s.count*elements)
		}
	}
	return n
}
