package optest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// Ranks runs f on n ranks, a subtest each, at the same time. Runtimes that f opens are connected
// with those that it opens on the other ranks at the same turn: each rank opens as many. If f fails
// on a rank, calls on others fail.
func Ranks(t *testing.T, n int, open Opener, f func(t *testing.T, open Opener)) {
	t.Helper()
	jobs := &jobs{ranks: n}
	var all sync.WaitGroup
	for rank := range n {
		all.Go(func() {
			t.Run(fmt.Sprint(aRank, rank), func(t *testing.T) {
				turn := 0
				defer func() { jobs.leave(turn) }()
				f(t, func(t testing.TB, options ...op2.Option) *op2.Runtime {
					t.Helper()
					c := jobs.enter(t, turn)
					turn++
					t.Cleanup(func() { c.ended <- t.Failed() })
					return open(t, append([]op2.Option{c.option}, options...)...)
				})
			})
		})
	}
	all.Wait()
	jobs.running.Wait()
}

// OnRanks runs f on n ranks at the same time, with a runtime on the backend go on each, unless an option names another.
func OnRanks(n int, f func(rt *op2.Runtime) error, options ...op2.Option) error {
	return op2.RunRanks(n, func(rank op2.Option) (err error) {
		rt, err := op2.Open(slices.Concat([]op2.Option{op2.WithBackend("go")}, options, []op2.Option{rank})...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rt.Close()) }()
		return f(rt)
	})
}

const aRank = "rank "

// Parallel runs a test at the same time as others, unless it is a rank's: ranks wait for each other,
// and so must not wait for their turn.
func Parallel(t *testing.T) {
	if !strings.Contains(t.Name(), "/"+strings.ReplaceAll(aRank, " ", "_")) {
		t.Parallel()
	}
}

// Distribute makes a function decide which rank gets each element, by the name of its set.
func Distribute(rt *op2.Runtime, owner func(set string, element int) int) {
	(*entity.Runtime)(rt).Config().Owner = owner
}

// jobs connect the ranks: for each turn of opening a runtime, there is a channel of connections.
type jobs struct {
	ranks   int
	mu      sync.Mutex
	turns   []chan connection
	left    bool // a rank opens no more
	running sync.WaitGroup
}

// connection is that of a rank's runtime with those of other ranks.
type connection struct {
	option op2.Option
	ended  chan bool // whether the test has failed
}

// enter returns a rank's connection.
func (j *jobs) enter(t testing.TB, turn int) connection {
	t.Helper()
	j.mu.Lock()
	if turn == len(j.turns) && !j.left {
		offer := make(chan connection)
		j.turns = append(j.turns, offer)
		j.running.Go(func() {
			_ = op2.RunRanks(j.ranks, func(rank op2.Option) error {
				c := connection{rank, make(chan bool)}
				if offer <- c; <-c.ended {
					return errors.New("the test has failed")
				}
				return nil
			})
		})
	}
	there := turn < len(j.turns)
	j.mu.Unlock()
	if !there {
		t.Fatal("another rank has ended")
	}
	return <-j.turns[turn]
}

// leave fails the runtimes that other ranks open and this one does not.
func (j *jobs) leave(turn int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.left = true
	for _, offer := range j.turns[turn:] {
		c := <-offer
		c.ended <- true
	}
}
