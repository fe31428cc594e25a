package backend

import (
	"testing"

	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

func TestShares(t *testing.T) {
	for _, c := range []struct {
		workers int
		plan    plan.Plan
		want    string
	}{
		{1, plan.Plan{Colors: 1, BlockOffsets: []int32{0, 9}}, ""},
		{1, plan.Plan{Colors: 1, BlockOffsets: []int32{0, 5, 9}}, ", 2 blocks"},
		{2, plan.Plan{Colors: 3, BlockOffsets: []int32{0, 3, 6, 9}}, ", 2 threads, 3 blocks, 3 colors"},
	} {
		if got := Shares(c.workers, "threads", &c.plan); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Blocks have fewer elements where each computes a lot, or moves so much that they would not stay in a core's cache.
func TestHostBlockSize(t *testing.T) {
	cache := tune.CoreCache()
	for _, c := range []struct{ elements, cost, bytes, want int }{
		{2625, 0, 8, 1024}, {2625, 80, 8, 1024}, {2625, 600, 8, 176}, {16, 1 << 40, 8, 16}, {1 << 30, 1 << 40, 8, 1 << 14},
		{1 << 30, 0, 0, 1 << 14}, {1 << 30, 0, cache / 4000, 4000}, {1 << 30, 0, cache, 1024}, {1 << 30, 600, cache, 176},
	} {
		if got := HostBlockSize(c.elements, c.cost, c.bytes); got != c.want {
			t.Errorf("%d elements of cost %d and %d bytes: blocks of %d, want %d", c.elements, c.cost, c.bytes, got, c.want)
		}
	}
}
