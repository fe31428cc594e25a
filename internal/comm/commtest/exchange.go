package commtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/comm"
)

// exchange exchanges messages of several lengths with both neighbors of a ring, many times.
func exchange(c comm.Comm) error {
	lengths := []int{0, 1, 8, 1000, 100_000}
	ring := [2]int{(c.Rank() + 1) % c.Size(), (c.Rank() + c.Size() - 1) % c.Size()}
	var sends, receives []comm.Message
	for direction, to := range ring {
		for i, n := range lengths {
			tag := 2*i + direction
			sends = append(sends, comm.Message{Rank: to, Tag: tag, Data: make([]byte, n)})
			receives = append(receives, comm.Message{Rank: ring[1-direction], Tag: tag, Data: make([]byte, n)})
		}
	}
	e, err := c.Prepare(sends, receives)
	if err != nil {
		return err
	}
	defer e.Free()
	for round := range 10 {
		for _, m := range sends {
			fill(m.Data, c.Rank(), m.Rank, m.Tag, round)
		}
		if err := first(e.Start(), e.Wait()); err != nil {
			return err
		}
		for _, m := range receives {
			if !bytes.Equal(m.Data, filled(len(m.Data), m.Rank, c.Rank(), m.Tag, round)) {
				return fmt.Errorf("round %d: %d wrong bytes from rank %d with tag %d", round, len(m.Data), m.Rank, m.Tag)
			}
		}
	}
	return nil
}

// order tests that of messages with one tag, the first sent is the first received.
func order(c comm.Comm) error {
	to, from := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	var exchanges []comm.Exchange
	var received [][]byte
	for i := range 3 { // exchanges of two messages each
		var sends, receives []comm.Message
		for k := range 2 {
			sends = append(sends, comm.Message{Rank: to, Data: filled(16, c.Rank(), 2*i+k)})
			received = append(received, make([]byte, 16))
			receives = append(receives, comm.Message{Rank: from, Data: received[2*i+k]})
		}
		e, err := c.Prepare(sends, receives)
		if err != nil {
			return err
		}
		defer e.Free()
		if err := e.Start(); err != nil {
			return err
		}
		exchanges = append(exchanges, e)
	}
	for _, e := range exchanges {
		if err := e.Wait(); err != nil {
			return err
		}
	}
	for i, data := range received {
		if !bytes.Equal(data, filled(16, from, i)) {
			return fmt.Errorf("message %d is not the one that was sent in this place", i)
		}
	}
	return nil
}

// together tests exchanges and reductions that are under way at the same time, and not waited for
// in the order of their start.
func together(c comm.Comm) error {
	to, from := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	var waits []func() error
	var received [][]byte
	sums := make([][]int64, 4)
	for i := range sums {
		received = append(received, make([]byte, 5000))
		e, err := c.Prepare([]comm.Message{{Rank: to, Tag: i, Data: filled(5000, c.Rank(), i)}},
			[]comm.Message{{Rank: from, Tag: i, Data: received[i]}})
		if err != nil {
			return err
		}
		defer e.Free()
		sums[i] = []int64{int64(c.Rank()), int64(i)}
		r, err := c.Reduce(sum(2), address(sums[i]))
		if err := first(err, e.Start()); err != nil {
			return err
		}
		waits = append(waits, e.Wait, r.Wait)
	}
	for i := len(waits) - 1; i >= 0; i-- {
		if err := waits[i](); err != nil {
			return err
		}
	}
	for i := range sums {
		if n := int64(c.Size()); sums[i][0] != n*(n-1)/2 || sums[i][1] != n*int64(i) {
			return fmt.Errorf("sum %d is %d", i, sums[i])
		}
		if !bytes.Equal(received[i], filled(5000, from, i)) {
			return fmt.Errorf("exchange %d: wrong bytes", i)
		}
	}
	return nil
}

// ahead tests that a rank that has received its messages goes on while the rank that it sends to computes.
func ahead(c comm.Comm) error {
	var e comm.Exchange
	if c.Rank() < 2 && c.Size() > 1 {
		other, data := 1-c.Rank(), make([]byte, 2000)
		var err error
		if e, err = c.Prepare([]comm.Message{{Rank: other, Data: data[:1000]}}, []comm.Message{{Rank: other, Data: data[1000:]}}); err != nil {
			return err
		}
		defer e.Free()
	}
	dir, err := folder(c)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for round := range 3 {
		if e != nil {
			if err := e.Start(); err != nil {
				return err
			}
			has := filepath.Join(dir, fmt.Sprint("received", round))
			if c.Rank() == 1 && !appears(has) { // computes until then
				return errors.New("rank 0 has not received while rank 1 computes")
			}
			if err := e.Receive(); err != nil {
				return err
			}
			if c.Rank() == 0 {
				if err := os.WriteFile(has, nil, 0o666); err != nil {
					return err
				}
			}
			if err := e.Wait(); err != nil {
				return err
			}
		}
		if err := comm.Sum(c, []int64{1}); err != nil {
			return err
		}
	}
	return nil
}

// folder returns a new folder that all ranks see.
func folder(c comm.Comm) (string, error) {
	path := make([]byte, 1000)
	if c.Rank() == 0 {
		dir, err := os.MkdirTemp("", "op2")
		if err != nil {
			return "", err
		}
		copy(path, dir)
	}
	err := c.Broadcast(0, path)
	return string(bytes.TrimRight(path, "\x00")), err
}

// appears waits for a file, but not forever.
func appears(path string) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}

// states tests calls of an exchange and a reduction in unusual orders.
func states(c comm.Comm) error {
	to, from := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	received := make([]byte, 4)
	e, err := c.Prepare([]comm.Message{{Rank: to, Data: []byte("abcd")}}, []comm.Message{{Rank: from, Data: received}})
	if err != nil {
		return err
	}
	if err := first(e.Wait(), e.Receive(), e.Start()); err != nil {
		return err
	}
	if err := e.Start(); err == nil || !strings.Contains(err.Error(), "has not been waited for") {
		return fmt.Errorf("a second Start returns %v", err)
	}
	if err := first(e.Receive(), e.Receive()); err != nil || string(received) != "abcd" {
		return fmt.Errorf("%q, %w", received, err)
	}
	if err := e.Start(); err == nil || !strings.Contains(err.Error(), "has not been waited for") {
		return fmt.Errorf("after Receive, Start returns %v", err)
	}
	if err := first(e.Wait(), e.Wait(), e.Start(), e.Wait()); err != nil {
		return err
	}
	e.Free()
	empty, err := c.Prepare(nil, nil)
	if err != nil {
		return err
	}
	if err := first(empty.Start(), empty.Wait()); err != nil {
		return err
	}
	empty.Free()

	one := []int64{1}
	r, err := c.Reduce(sum(1), address(one))
	if err := first(err, r.Wait(), r.Wait()); err != nil || one[0] != int64(c.Size()) {
		return fmt.Errorf("%d, %w", one, err)
	}
	return nil
}

// arguments tests errors in arguments, after which communication goes on.
func arguments(c comm.Comm) error {
	for _, test := range []struct {
		name string
		call func() error
		want string
	}{
		{"rank", func() error { _, err := c.Prepare([]comm.Message{{Rank: c.Size()}}, nil); return err },
			fmt.Sprintf("a message with rank %d and tag 0: ranks are 0 to %d, tags 0 to 32767", c.Size(), c.Size()-1)},
		{"tag", func() error { _, err := c.Prepare(nil, []comm.Message{{Tag: comm.MaxTag + 1}}); return err },
			fmt.Sprintf("a message with rank 0 and tag 32768: ranks are 0 to %d, tags 0 to 32767", c.Size()-1)},
		{"consensus", func() error { _, err := c.Consensus([]comm.Message{{Rank: -1}}); return err },
			fmt.Sprintf("a message with rank -1 and tag 0: ranks are 0 to %d, tags 0 to 32767", c.Size()-1)},
		{"twice", func() error { _, err := c.Consensus([]comm.Message{{Rank: 0}, {Rank: 0}}); return err },
			"several messages to rank 0 in one Consensus"},
		{"root", func() error { return c.Broadcast(c.Size(), nil) },
			fmt.Sprintf("the root is rank %d: ranks are 0 to %d", c.Size(), c.Size()-1)},
		{"gather", func() error { _, err := comm.Gather(c, -1, nil); return err },
			fmt.Sprintf("the root is rank -1: ranks are 0 to %d", c.Size()-1)},
	} {
		if err := test.call(); err == nil || err.Error() != test.want {
			return fmt.Errorf("%s: error %q, want %q", test.name, err, test.want)
		}
	}
	_, err := comm.AllGather(c, 1)
	return err
}
