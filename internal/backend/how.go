package backend

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/plan"
)

// Shares describes how many workers, of which kind, run how many blocks and colors: ", 2 threads,
// 12 blocks, 3 colors". Counts of one are omitted.
func Shares(workers int, kind string, p *plan.Plan) string {
	var s strings.Builder
	for _, part := range []struct {
		n    int
		what string
	}{{workers, kind}, {p.Blocks(), "blocks"}, {p.Colors, "colors"}} {
		if part.n > 1 {
			fmt.Fprintf(&s, ", %d %s", part.n, part.what)
		}
	}
	return s.String()
}

// Code returns the Code of Stats, for machine code that was found in the cache or not.
func Code(found bool) string {
	if found {
		return "found"
	}
	return "compiled"
}
