package mesh

import (
	"runtime"

	"github.com/go-op2/op2/internal/parallel"
)

// span is a range of numbers.
type span struct{ lo, hi int }

func (s span) size() int { return s.hi - s.lo }

// spans divides n numbers into one range for each processor; few numbers are not worth a division.
func spans(n int) []span {
	const few = 4096
	parts := max(1, min(runtime.GOMAXPROCS(0), n/few))
	s := make([]span, parts)
	for i := range s {
		s[i] = span{i * n / parts, (i + 1) * n / parts}
	}
	return s
}

// together calls f concurrently for each span, with its index.
func together(s []span, f func(i, lo, hi int)) {
	parallel.Run(len(s), func(i int) { f(i, s[i].lo, s[i].hi) })
}
