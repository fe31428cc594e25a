// Package commtest has the tests of every comm.Comm.
package commtest

import (
	"fmt"

	"github.com/go-op2/op2/internal/comm"
)

// A Case is a test that each rank runs, on a Comm of its own, which is closed afterward. It returns
// an error if the Comm is wrong.
type Case struct {
	Name string
	Run  func(c comm.Comm) error
	// Fails is true for tests after which the ranks cannot go on. They end at once on all ranks.
	Fails bool
}

// Cases returns all tests.
func Cases() []Case {
	return append([]Case{
		{Name: "itself", Run: itself},
		{Name: "exchange", Run: exchange},
		{Name: "order", Run: order},
		{Name: "together", Run: together},
		{Name: "states", Run: states},
		{Name: "ahead", Run: ahead},
		{Name: "arguments", Run: arguments},
		{Name: "consensus", Run: consensus},
		{Name: "late", Run: late},
		{Name: "reduce", Run: reduceAll},
		{Name: "special", Run: special},
		{Name: "operations", Run: operations},
		{Name: "broadcast", Run: broadcast},
		{Name: "functions", Run: functions},
		{Name: "split", Run: split},
		{Name: "random", Run: random},
		{Name: "meet", Run: meet},
		{Name: "closed", Run: closed},
	}, failing()...)
}

// itself tests what a Comm says of itself.
func itself(c comm.Comm) error {
	if c.Size() < 1 || c.Rank() < 0 || c.Rank() >= c.Size() || c.Name() == "" {
		return fmt.Errorf("rank %d of %d on %q", c.Rank(), c.Size(), c.Name())
	}
	return nil
}

// fill fills data with bytes that depend on numbers.
func fill(data []byte, numbers ...int) {
	x := uint32(2166136261)
	for _, n := range numbers {
		x = (x ^ uint32(n)) * 16777619
	}
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = byte(x >> 24)
	}
}

// filled returns n such bytes.
func filled(n int, numbers ...int) []byte {
	data := make([]byte, n)
	fill(data, numbers...)
	return data
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
