package commtest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/comm"
)

// waits are calls in which a rank waits for rank 0.
var waits = []struct {
	name string
	call func(c comm.Comm) error
}{
	{"reduce", func(c comm.Comm) error { return comm.Sum(c, []int64{1}) }},
	{"message", func(c comm.Comm) error { return comm.Once(c, nil, []comm.Message{{Rank: 0, Data: make([]byte, 8)}}) }},
	{"consensus", func(c comm.Comm) error { _, err := c.Consensus(nil); return err }},
	{"broadcast", func(c comm.Comm) error { return c.Broadcast(0, make([]byte, 8)) }},
}

// calls returns one of each call that communicates.
func calls(c comm.Comm) map[string]error {
	started := func(e comm.Exchange, err error) error {
		if err != nil {
			return err
		}
		return e.Start()
	}
	_, consensus := c.Consensus(nil)
	_, reduce := c.Reduce(sum(1), address([]int64{1}))
	return map[string]error{"Start": started(c.Prepare(nil, nil)), "Consensus": consensus, "Reduce": reduce,
		"Broadcast": c.Broadcast(0, nil)}
}

// closed tests the calls of a rank that has closed its Comm.
func closed(c comm.Comm) error {
	if err := first(comm.Sum(c, []int64{1}), c.Close(), c.Close()); err != nil {
		return err
	}
	for name, err := range calls(c) {
		if err != comm.ErrClosed {
			return fmt.Errorf("%s after Close returns %v", name, err)
		}
	}
	return nil
}

func failing() []Case {
	cases := []Case{{Name: "fail/two", Run: failTwo, Fails: true}, {Name: "fail/length", Run: failLength, Fails: true},
		{Name: "fail/beside", Run: failBeside, Fails: true}}
	for _, w := range waits {
		cases = append(cases,
			Case{Name: "fail/" + w.name, Fails: true, Run: func(c comm.Comm) error { return fail(c, w.call) }},
			Case{Name: "close/" + w.name, Fails: true, Run: func(c comm.Comm) error { return leave(c, w.call, comm.Comm.Close) }},
			Case{Name: "meet/" + w.name, Fails: true, Run: func(c comm.Comm) error { return leave(c, w.call, comm.Comm.Meet) }})
	}
	for _, pair := range [][2]int{{0, 1}, {2, 0}, {2, 3}} {
		one, other := waits[pair[0]], waits[pair[1]]
		cases = append(cases, Case{Name: "stuck/" + one.name + " and " + other.name, Fails: true, Run: func(c comm.Comm) error {
			return stuck(c, one.call, other.call)
		}})
	}
	return cases
}

// errKernel is an error with several lines, as compilers give.
var errKernel = errors.New("kernel.go:7: a bad kernel\n  hint: mend it\n" + strings.Repeat("more ", 1000))

// meet lets ranks meet, communicate, and meet again.
func meet(c comm.Comm) error {
	for i := range 3 {
		time.Sleep(time.Duration((c.Rank()+i)%c.Size()) * 30 * time.Millisecond)
		if err := first(c.Meet(), comm.Sum(c, []int64{1})); err != nil {
			return err
		}
	}
	return c.Meet()
}

// stuck lets rank 0 make another call than the others, which must not hang.
func stuck(c comm.Comm, call, other func(comm.Comm) error) error {
	if c.Size() == 1 {
		return nil
	}
	if c.Rank() > 0 {
		call = other
	}
	err := call(c)
	if err == nil || !strings.Contains(err.Error(), "the same calls") && !strings.Contains(err.Error(), "has called") {
		return fmt.Errorf("the error is %v", err)
	}
	c.Fail(err)
	return nil
}

// fail lets rank 0 fail while others wait for it, or before.
func fail(c comm.Comm, wait func(comm.Comm) error) error {
	if c.Rank() == 0 {
		time.Sleep(2 * time.Millisecond)
		if err := c.Fail(errKernel); !errors.Is(err, errKernel) || !strings.Contains(err.Error(), errKernel.Error()) {
			return fmt.Errorf("the error of Fail is %v", err)
		}
	} else if err := failed(wait(c), 0); err != nil {
		return err
	}
	for name, err := range calls(c) {
		if err := failed(err, 0); err != nil {
			return fmt.Errorf("%s after a failure: %w", name, err)
		}
	}
	if err := c.Close(); err != nil {
		return err
	}
	return nil
}

// failed returns an error if err is not the failure of the rank with the text of errKernel.
func failed(err error, rank int) error {
	var f *comm.Failure
	if !errors.As(err, &f) || f.Rank != rank || f.Why != errKernel.Error() {
		return fmt.Errorf("the error is %v, want the failure of rank %d", err, rank)
	}
	return nil
}

// failTwo lets two ranks fail at the same time, and all others learn of one of them.
func failTwo(c comm.Comm) error {
	if c.Rank() < 2 {
		if err := c.Fail(errKernel); !errors.Is(err, errKernel) {
			return fmt.Errorf("the error of Fail is %v", err)
		}
		return nil
	}
	err := comm.Sum(c, []int64{1})
	if failed(err, 0) != nil && failed(err, 1) != nil {
		return fmt.Errorf("the error is %w", err)
	}
	return nil
}

// failBeside lets another goroutine of rank 0 fail while the rank waits for others.
func failBeside(c comm.Comm) error {
	if c.Rank() != 0 {
		return failed(waits[1].call(c), 0)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		time.Sleep(2 * time.Millisecond)
		c.Fail(errKernel)
	}()
	var err error
	if c.Size() > 1 {
		err = comm.Once(c, nil, []comm.Message{{Rank: 1, Data: make([]byte, 1)}})
	}
	<-done
	if c.Size() == 1 {
		err = comm.Sum(c, []int64{1})
	}
	return failed(err, 0)
}

// failLength lets a rank receive a message that is shorter than it expects, and another a longer
// one.
func failLength(c comm.Comm) error {
	if c.Size() == 1 {
		return nil
	}
	var err error
	switch c.Rank() {
	case 0:
		err = comm.Once(c, []comm.Message{{Rank: 1, Data: make([]byte, 16)}}, []comm.Message{{Rank: 1, Data: make([]byte, 16)}})
	case 1:
		err = comm.Once(c, []comm.Message{{Rank: 0, Data: make([]byte, 12)}}, []comm.Message{{Rank: 0, Data: make([]byte, 12)}})
	default:
		return nil
	}
	want := [2]string{"with tag 0 came from rank 1, 16 were expected", "with tag 0 came from rank 0, 12 were expected"}[c.Rank()]
	if err == nil || !strings.Contains(err.Error(), want) {
		return fmt.Errorf("the error is %v, want one with %q", err, want)
	}
	return nil
}

// leave lets rank 0 close its Comm, or wait for others to do so, while they wait for it.
func leave(c comm.Comm, wait, close func(comm.Comm) error) error {
	if c.Size() == 1 {
		return nil
	}
	if err := comm.Sum(c, []int64{1}); err != nil {
		return err
	}
	if c.Rank() == 0 {
		close(c) // may return that others have failed
		return nil
	}
	err := wait(c)
	if err == nil || !strings.Contains(err.Error(), "rank 0: it has ended the communication, and rank ") {
		return fmt.Errorf("the error is %v", err)
	}
	if reported := c.Fail(err); !errors.Is(reported, err) {
		return fmt.Errorf("the error of Fail is %v", reported)
	}
	return nil
}
