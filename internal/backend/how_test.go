package backend

import (
	"testing"

	"github.com/go-op2/op2/internal/plan"
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

// Blocks have fewer elements where each computes a lot.
func TestHostBlockSize(t *testing.T) {
	for _, c := range []struct{ elements, cost, want int }{
		{2625, 0, 1024}, {2625, 80, 1024}, {2625, 600, 176}, {16, 1 << 40, 16}, {1 << 30, 1 << 40, 1 << 14},
	} {
		if got := HostBlockSize(c.elements, c.cost); got != c.want {
			t.Errorf("%d elements of cost %d: blocks of %d, want %d", c.elements, c.cost, got, c.want)
		}
	}
}
