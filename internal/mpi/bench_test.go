package mpi_test

import (
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mpi"
	"github.com/go-op2/op2/internal/mpi/mpitest"
)

// Latencies between ranks, with the same number of rounds on all:
//
//	go test -c ./internal/mpi
//	OP2_TEST_MPI=1 mpirun -n 2 ./mpi.test -test.run '^$' -test.bench . -test.benchtime 100000x
func BenchmarkReduce(b *testing.B) {
	c := open(b)
	values := []float64{1}
	r := loop.Reduction{Access: loop.Inc, Type: loop.Float64, Dim: 1}
	for b.Loop() {
		q, err := c.Reduce(r, unsafe.Pointer(&values[0]))
		if err != nil {
			b.Fatal(err)
		}
		if err := q.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExchange exchanges 1 KiB with both neighbors in a ring.
func BenchmarkExchange(b *testing.B) {
	c := open(b)
	n := c.Size()
	next, previous := (c.Rank()+1)%n, (c.Rank()+n-1)%n
	messages := func() []comm.Message {
		return []comm.Message{{Rank: next, Tag: 0, Data: make([]byte, 1024)}, {Rank: previous, Tag: 1, Data: make([]byte, 1024)}}
	}
	sends, receives := messages(), messages()
	receives[0].Tag, receives[1].Tag = 1, 0
	if n == 2 { // one neighbor
		sends, receives = sends[:1], receives[:1]
		receives[0].Tag = 0
	}
	e, err := c.Prepare(sends, receives)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Free()
	for b.Loop() {
		if err := e.Start(); err != nil {
			b.Fatal(err)
		}
		if err := e.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

func open(b *testing.B) *mpi.Comm {
	if !mpitest.Inside() {
		b.Skip("run it under mpirun")
	}
	c, err := mpi.Open(mpi.Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}
