package codegen

import (
	"regexp"

	"github.com/go-op2/op2/internal/kernel"
)

// Compilers for GPUs unroll short loops by themselves. PoCL's only does so where it is asked to:
// otherwise arrays that such a loop indexes stay in memory, and take up to half of the time.

// The longest loop that asks to be unrolled, and how often what is in it may run altogether.
const (
	unrolledTrips = 16
	unrolledRuns  = 64
)

// shortLoop matches the head of a generated loop with few iterations.
var shortLoop = regexp.MustCompile(`\bfor \(int \w+ = 0; \w+ < (?:[1-9]|1[0-6]|OP2_LANES); \w+\+\+\)`)

// unrolled returns the generated text with every short loop asking to be unrolled.
func (d *dialect) unrolled(text string) string {
	if d.unroll == "" {
		return text
	}
	return shortLoop.ReplaceAllString(text, d.unroll+"$0")
}

// unroll returns what precedes a loop of a kernel: a request to unroll it, if it is short.
func (p *printer) unroll(s *kernel.For) string {
	if p.device == nil || p.stops(s) {
		return ""
	}
	if n := tripsOf(s, 1); n < 2 || n > unrolledTrips || n*runsOf(s.Body) > unrolledRuns {
		return ""
	}
	return p.device.unroll
}

// runsOf returns how often the innermost statements of s run.
func runsOf(s kernel.Stmt) int {
	most := 1
	kernel.Walk(s, func(s kernel.Stmt) {
		if inner, ok := s.(*kernel.For); ok {
			most = max(most, tripsOf(inner, 1)*runsOf(inner.Body))
		}
	}, nil)
	return most
}
