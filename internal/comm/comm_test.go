package comm_test

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/comm/commtest"
	"github.com/go-op2/op2/internal/loop"
)

// Ranks that are goroutines pass the tests of every Comm, with and without a delay.
func TestLocal(t *testing.T) {
	for _, test := range []struct {
		ranks int
		delay time.Duration
	}{{1, 0}, {2, 0}, {3, 0}, {3, 50 * time.Microsecond}, {7, 0}} {
		for _, c := range commtest.Cases() {
			t.Run(fmt.Sprintf("%d ranks, delay %v/%s", test.ranks, test.delay, c.Name), func(t *testing.T) {
				t.Parallel()
				if err := comm.Run(test.ranks, test.delay, c.Run); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// One rank alone combines and passes on what it has.
func TestAlone(t *testing.T) {
	for _, c := range commtest.Cases() {
		if !slices.Contains([]string{"itself", "consensus", "late", "reduce", "special", "operations", "broadcast", "functions", "meet"}, c.Name) {
			continue
		}
		if err := c.Run(comm.Alone); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// What comes from other ranks takes the delay, during which a rank can work.
func TestLocalDelay(t *testing.T) {
	const delay = 20 * time.Millisecond
	for _, test := range []struct {
		name string
		call func(comm.Comm) error
	}{
		{"message", func(c comm.Comm) error {
			to := []comm.Message{{Rank: 1 - c.Rank(), Data: make([]byte, 1)}}
			from := []comm.Message{{Rank: 1 - c.Rank(), Data: make([]byte, 1)}}
			e, err := c.Prepare(to, from)
			if err != nil {
				return err
			}
			if err := e.Start(); err != nil {
				return err
			}
			time.Sleep(delay / 2)
			return e.Wait()
		}},
		{"reduction", func(c comm.Comm) error { return comm.Sum(c, []int64{1}) }},
		{"broadcast", func(c comm.Comm) error { return c.Broadcast(0, make([]byte, 1)) }},
		{"consensus", func(c comm.Comm) error { _, err := c.Consensus(nil); return err }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			if err := comm.Run(2, delay, test.call); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took < delay {
				t.Errorf("took %v, less than the delay", took)
			}
		})
	}
}

// Run returns the errors of ranks, and others learn of them.
func TestRun(t *testing.T) {
	wait := func(c comm.Comm) error { return comm.Sum(c, []int64{1}) }
	var called [2]chan bool
	for i := range called {
		called[i] = make(chan bool)
	}
	waitAndTell := func(c comm.Comm, called chan bool) error {
		r, err := c.Reduce(loop.Reduction{Access: loop.Inc, Type: loop.Int64, Dim: 1}, unsafe.Pointer(new(int64)))
		if err != nil {
			return err
		}
		called <- true
		return r.Wait()
	}
	for _, test := range []struct {
		name  string
		ranks int
		body  func(comm.Comm) error
		want  string
	}{
		{"none", 4, wait, ""},
		{"one", 4, func(c comm.Comm) error {
			if c.Rank() == 2 {
				return errors.New("a bad map")
			}
			return wait(c)
		}, "rank 2: a bad map"},
		{"all", 4, func(c comm.Comm) error { return errors.New("a bad map") }, "ranks 0-3: a bad map"},
		{"goroutine", 4, func(c comm.Comm) error {
			if c.Rank() == 1 {
				runtime.Goexit()
			}
			return wait(c)
		}, "rank 1: its goroutine has ended"},
		{"returned", 4, func(c comm.Comm) error {
			if c.Rank() == 1 {
				return nil
			}
			for c.Rank() > 1 { // until it learns from rank 0
				if e, err := c.Prepare(nil, nil); err != nil || e.Start() != nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			return wait(c)
		}, "rank 0: rank 1: it has ended the communication, and rank 0 waits for it"},
		{"different calls", 2, func(c comm.Comm) error {
			if c.Rank() == 0 {
				return waitAndTell(c, called[0])
			}
			<-called[0]
			return c.Broadcast(1, make([]byte, 2))
		}, "ranks 0-1: the ranks do not make the same calls: rank 0 has called Reduce of 1 int64 with inc, rank 1 Broadcast of 2 bytes from rank 1"},
		{"a loop against the library", 2, func(c comm.Comm) error {
			if c.Rank() == 0 {
				return waitAndTell(c, called[1])
			}
			<-called[1]
			request, err := c.Reduce(loop.Reduction{Access: loop.Inc, Type: loop.Int64, Dim: 1, Loop: true}, unsafe.Pointer(new(int64)))
			if err != nil {
				return err
			}
			return request.Wait()
		}, "ranks 0-1: the ranks do not make the same calls: rank 0 has called Reduce of 1 int64 with inc, rank 1 Reduce of 1 int64 with inc, by a loop"},
		{"collective against message", 2, func(c comm.Comm) error {
			if c.Rank() == 0 {
				return wait(c)
			}
			return comm.Once(c, nil, []comm.Message{{Rank: 0, Tag: 7, Data: make([]byte, 1)}})
		}, "rank 0: it waits for others to call Reduce of 1 int64 with inc, while all other ranks wait too: they do not make the same calls; " +
			"rank 1: it waits for a message from rank 0 with tag 7, while all other ranks wait too: they do not make the same calls"},
		{"changed", 2, func(c comm.Comm) error {
			if c.Rank() != 0 {
				return nil
			}
			data := []byte{1}
			e, err := c.Prepare([]comm.Message{{Rank: 1, Tag: 5, Data: data}}, nil)
			if err != nil {
				return err
			}
			if err := e.Start(); err != nil {
				return err
			}
			data[0] = 2
			return e.Wait()
		}, "rank 0: the message to rank 1 with tag 5 has changed while it was sent"},
		{"early", 2, func(c comm.Comm) error {
			data := make([]byte, 1)
			e, err := c.Prepare([]comm.Message{{Rank: c.Rank(), Data: []byte{1}}}, []comm.Message{{Rank: c.Rank(), Data: data}})
			if err != nil {
				return err
			}
			if err := e.Start(); err != nil {
				return err
			}
			if data[0] != 0xff {
				return errors.New("memory that receives has a value before Wait")
			}
			return e.Wait()
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := comm.Run(test.ranks, 0, test.body); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("error %q, want %q", got, test.want)
			}
		})
	}
}

// A panic of a rank ends the others, and goes on in the caller, with the rank and the place.
func TestRunPanic(t *testing.T) {
	defer func() {
		text := fmt.Sprint(recover())
		for _, want := range []string{"rank 1: panic: runtime error: invalid memory address", "comm_test.go"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in the panic %s", want, text)
			}
		}
	}()
	err := comm.Run(3, 0, func(c comm.Comm) error {
		if c.Rank() == 1 {
			var p *int
			*p = 1
		}
		return c.Broadcast(0, nil)
	})
	t.Error("Run returns ", err)
}

// Sums on goroutines are by ranks, whoever comes last: the same bits in each run.
func TestLocalSums(t *testing.T) {
	values := []float64{1, 1e100, -1e100, 1e-3}
	for last := range values {
		err := comm.Run(len(values), 0, func(c comm.Comm) error {
			if c.Rank() == last {
				time.Sleep(time.Millisecond)
			}
			v := []float64{values[c.Rank()]}
			r, err := c.Reduce(loop.Reduction{Access: loop.Inc, Type: loop.Float64, Dim: 1}, unsafe.Pointer(&v[0]))
			if err != nil {
				return err
			}
			if err := r.Wait(); err != nil || v[0] != 1e-3 {
				return fmt.Errorf("the sum is %v, %w", v, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestFailures(t *testing.T) {
	texts := func(texts ...string) []*comm.Failure {
		var failures []*comm.Failure
		for i, text := range texts {
			if text != "" {
				failures = append(failures, comm.Fails(i, errors.New(text)))
			}
		}
		return failures
	}
	for _, test := range []struct {
		failures []*comm.Failure
		want     string
	}{
		{nil, "<nil>"},
		{texts("", "a"), "rank 1: a"},
		{texts("a", "a", "", "a", "", "b"), "ranks 0-1, 3: a; rank 5: b"},
		{texts("a\n  hint: b", "", "c"), "rank 0: a\n  hint: b\nrank 2: c"},
		{texts("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "8"),
			"rank 0: 0; rank 1: 1; rank 2: 2; rank 3: 3; rank 4: 4; rank 5: 5; rank 6: 6; rank 7: 7; and 2 further errors"},
	} {
		err := comm.Join(test.failures)
		if got := fmt.Sprint(err); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		for _, f := range test.failures {
			if !errors.Is(err, f) || !errors.Is(err, errors.Unwrap(f)) {
				t.Errorf("%v does not wrap %v", err, f)
			}
		}
	}
}

// Values of numbered elements are combined with the same bits wherever these are, and a rank sends
// what it has combined, not what each element has.
func TestNumbered(t *testing.T) {
	const size = 3000
	apply := func(into, from unsafe.Pointer) { // depends on the order and on the tree
		a, b := (*uint64)(into), (*uint64)(from)
		*a = bits.RotateLeft64(*a*0x9e3779b97f4a7c15, 7) + *b*31
	}
	r := loop.Reduction{Access: loop.Reduce, Type: loop.Uint64, Dim: 1, Op: &loop.Op{Identity: make([]byte, 8), Apply: apply}}
	random := rand.New(rand.NewPCG(1, 2))
	shuffled := random.Perm(size)
	for _, some := range []int{1, 2, 7, 300} { // elements in a hundred numbers
		var numbers []int64
		for i := range int64(size) {
			if i%int64(some) == 0 {
				numbers = append(numbers, i)
			}
		}
		var want uint64
		for _, c := range []struct {
			name  string
			ranks int
			owner func(number int64) int
			most  int64 // bytes that all ranks send
		}{
			{"one", 1, func(int64) int { return 0 }, 16},
			{"halves", 2, func(n int64) int { return int(n) * 2 / size }, 50 * 8},
			{"thirds", 3, func(n int64) int { return int(n) * 3 / size }, 200 * 8},
			{"rows", 5, func(n int64) int { return int(n) / 10 % 5 }, 8 * size},
			{"shuffled", 4, func(n int64) int { return shuffled[n] % 4 }, 20 * size},
			{"one of seven", 7, func(int64) int { return 5 }, 50 * 16},
		} {
			sent := make([]int64, c.ranks)
			got := make([]uint64, c.ranks)
			err := comm.Run(c.ranks, 0, func(ranks comm.Comm) error {
				var own []int64
				for _, n := range numbers {
					if c.owner(n) == ranks.Rank() {
						own = append(own, n)
					}
				}
				slices.Reverse(own)
				n, err := comm.NewNumbered(counting{ranks, &sent[ranks.Rank()]}, own, size)
				if err != nil {
					return err
				}
				values := make([]uint64, len(own)+1)
				for i, n := range own {
					values[i] = uint64(n) + 1
				}
				for range 2 {
					any, err := n.Combine(r, func(i int) unsafe.Pointer { return unsafe.Pointer(&values[i]) }, unsafe.Pointer(&got[ranks.Rank()]))
					if err != nil || !any {
						return fmt.Errorf("combined %v, %w", any, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(c.name, err)
			}
			if want == 0 {
				want = got[0]
			}
			total := int64(0)
			for rank, n := range sent {
				total += n
				if got[rank] != want {
					t.Errorf("every %d, %s: rank %d has %x, want %x", some, c.name, rank, got[rank], want)
				}
			}
			if total > 2*c.most {
				t.Errorf("every %d, %s: %d bytes sent, at most %d expected", some, c.name, total/2, c.most)
			}
		}
	}
}

// One process alone has no messages, not even to itself.
func TestNumberedAlone(t *testing.T) {
	n, err := comm.NewNumbered(comm.Alone, []int64{3, 1, 700}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	values, got := []int64{1, 2, 4}, int64(0)
	any, err := n.Combine(loop.Reduction{Access: loop.Inc, Type: loop.Int64, Dim: 1}, func(i int) unsafe.Pointer { return unsafe.Pointer(&values[i]) }, unsafe.Pointer(&got))
	if err != nil || !any || got != 7 {
		t.Errorf("got %d, %v, %v", got, any, err)
	}
}

// counting counts the bytes of messages that a rank prepares.
type counting struct {
	comm.Comm
	bytes *int64
}

func (c counting) Prepare(sends, receives []comm.Message) (comm.Exchange, error) {
	for _, m := range sends {
		*c.bytes += int64(len(m.Data))
	}
	return c.Comm.Prepare(sends, receives)
}
