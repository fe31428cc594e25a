package commtest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-op2/op2/internal/comm"
)

// random makes random calls, the same on all ranks, with pauses that differ.
func random(c comm.Comm) error {
	calls, pauses := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, uint64(c.Rank())))
	type underway struct {
		wait  func() error
		check func() error
	}
	var open []underway
	finish := func(i int) error {
		u := open[i]
		open = append(open[:i], open[i+1:]...)
		return first(u.wait(), u.check())
	}
	for step := range 60 {
		if pauses.IntN(10) == 0 {
			time.Sleep(time.Duration(pauses.IntN(300)) * time.Microsecond)
		}
		shift, length, root := calls.IntN(c.Size()), 1<<calls.IntN(14), calls.IntN(c.Size())
		switch kind := calls.IntN(6); kind {
		case 0, 1: // an exchange with other ranks at a distance
			to, from := (c.Rank()+shift)%c.Size(), (c.Rank()+c.Size()-shift)%c.Size()
			data := make([]byte, length)
			e, err := c.Prepare([]comm.Message{{Rank: to, Tag: step, Data: filled(length, step, c.Rank())}},
				[]comm.Message{{Rank: from, Tag: step, Data: data}})
			if err := first(err, e.Start()); err != nil {
				return err
			}
			open = append(open, underway{e.Wait, func() error {
				e.Free()
				if !bytes.Equal(data, filled(length, step, from)) {
					return fmt.Errorf("step %d: wrong bytes from rank %d", step, from)
				}
				return nil
			}})
		case 2:
			values := []int64{int64(c.Rank() * step), 1}
			r, err := c.Reduce(sum(2), address(values))
			if err != nil {
				return err
			}
			open = append(open, underway{r.Wait, func() error {
				if values[0] != int64(step*c.Size()*(c.Size()-1)/2) || values[1] != int64(c.Size()) {
					return fmt.Errorf("step %d: sums %d", step, values)
				}
				return nil
			}})
		case 3:
			data := filled(length, c.Rank(), step)
			if err := c.Broadcast(root, data); err != nil {
				return err
			}
			if !bytes.Equal(data, filled(length, root, step)) {
				return fmt.Errorf("step %d: wrong bytes from the root, rank %d", step, root)
			}
		case 4:
			got, err := c.Consensus([]comm.Message{{Rank: (c.Rank() + shift) % c.Size(), Tag: step, Data: filled(length, c.Rank())}})
			from := (c.Rank() + c.Size() - shift) % c.Size()
			if err != nil || len(got) != 1 || !same(got[0], comm.Message{Rank: from, Tag: step, Data: filled(length, from)}) {
				return fmt.Errorf("step %d: %d messages; %w", step, len(got), errors.Join(err))
			}
		case 5:
			if len(open) > 0 {
				if err := finish(calls.IntN(len(open))); err != nil {
					return err
				}
			}
		}
	}
	for len(open) > 0 {
		if err := finish(len(open) - 1); err != nil {
			return err
		}
	}
	return nil
}
