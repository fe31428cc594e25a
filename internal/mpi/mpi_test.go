package mpi_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/comm/commtest"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/mpi/mpitest"
)

func TestMain(m *testing.M) { mpitest.Main(m) }

// quick are short times: the launcher does not end ranks that fail on purpose.
var quick = mpi.Config{Collect: 20 * time.Millisecond, Patience: time.Millisecond, Suspect: 20 * time.Millisecond}

// Ranks of MPI jobs pass the tests of every Comm.
func TestComm(t *testing.T) {
	if mpitest.Inside() {
		testComm(t)
		return
	}
	for _, test := range []struct {
		kind  string
		ranks []int
	}{{mpitest.OpenMPI, []int{1, 2, 3, 4, 7}}, {mpitest.MPICH, []int{1, 2}}} {
		for _, n := range test.ranks {
			t.Run(fmt.Sprint(test.kind, "/", n), func(t *testing.T) { mpitest.Run(t, test.kind, n, "TestComm") })
		}
	}
}

func testComm(t *testing.T) {
	for _, test := range commtest.Cases() {
		start := time.Now()
		c, err := mpi.Open(quick)
		if err != nil {
			t.Fatal(err)
		}
		if err := test.Run(c); err != nil {
			t.Errorf("rank %d: %s: %v", c.Rank(), test.Name, err)
			c.Fail(err)
		}
		if err := c.Close(); err != nil && !test.Fails {
			t.Errorf("rank %d: %s: Close: %v", c.Rank(), test.Name, err)
		}
		if testing.Verbose() && c.Rank() == 0 {
			fmt.Printf("%s: %v\n", test.Name, time.Since(start).Round(time.Microsecond))
		}
	}
}
