package backend

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/plan"
)

// Shares says by how many workers, of which kind, and in how many blocks and colors a loop
// runs: ", 2 threads, 12 blocks, 3 colors". What there is one of is left out.
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

// Code is what Stats have in Code, for machine code that was found in the cache or not.
func Code(found bool) string {
	if found {
		return "found"
	}
	return "compiled"
}
