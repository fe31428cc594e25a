package distribute_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
)

// counting counts the messages that a rank sends, but for those of collective calls.
type counting struct {
	comm.Comm
	messages int
}

func (c *counting) Consensus(sends []comm.Message) ([]comm.Message, error) {
	c.messages += len(sends)
	return c.Comm.Consensus(sends)
}

func (c *counting) Prepare(sends, receives []comm.Message) (comm.Exchange, error) {
	c.messages += len(sends)
	return c.Comm.Prepare(sends, receives)
}

// A rank has as many messages to distribute shares as it has neighbors, however many ranks there are.
func TestMessagesOfShares(t *testing.T) {
	const each = 8
	for name, partition := range map[string]func(rt *entity.Runtime, r *ring) error{
		"stay": func(rt *entity.Runtime, r *ring) error { return distribute.Partition(rt, nil) },
		"move": func(rt *entity.Runtime, r *ring) error {
			at := make([]float64, each)
			for i := range at {
				at[i] = float64(each*rt.Rank() + i + each/2)
			}
			return distribute.Partition(rt, []*entity.Data{must(entity.NewDat(r.nodes, 1, at, "at"))})
		},
		"owners": func(rt *entity.Runtime, r *ring) error {
			owners := make([]int32, each)
			for i := range owners {
				owners[i] = int32((rt.Rank() + 2*i/each) % rt.Ranks())
			}
			return distribute.PartitionBy(rt, []*entity.Data{must(entity.NewDat(r.nodes, 1, owners, "owners"))})
		},
	} {
		sent := map[int]int{} // by a rank, on average
		for _, ranks := range []int{8, 64} {
			var all atomic.Int64
			errs := comm.Each(ranks, 0, func(c comm.Comm) error {
				counts := &counting{Comm: c}
				rt := open(entity.Config{Comm: counts, Weight: 1})
				err := partition(rt, newRing(rt, each, true))
				all.Add(int64(counts.messages))
				return err
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			sent[ranks] = int(all.Load()) / ranks
		}
		if sent[64] > sent[8]+1 {
			t.Errorf("%s: a rank sends %d messages of 8 ranks, and %d of 64", name, sent[8], sent[64])
		}
	}
}
