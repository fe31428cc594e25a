package comm

import (
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Alone is the Comm of one process: its calls have nothing to do. It has no exchanges, and does not end.
var Alone Comm = alone{}

type alone struct{}

func (alone) Rank() int    { return 0 }
func (alone) Size() int    { return 1 }
func (alone) Name() string { return "one process" }

func (alone) Prepare(_, _ []Message) (Exchange, error)               { return nothing{}, nil }
func (alone) Consensus(sends []Message) ([]Message, error)           { return sends, CheckConsensus(1, sends) }
func (alone) Reduce(loop.Reduction, unsafe.Pointer) (Request, error) { return nothing{}, nil }
func (alone) Broadcast(root int, _ []byte) error                     { return CheckRoot(1, root) }

func (a alone) Split(number int) (Comm, error) { return a, CheckSplit(number) }

func (alone) Computes(time.Duration) {}
func (alone) Meet() error            { return nil }
func (alone) Fail(why error) error   { return why }
func (alone) Close() error           { return nil }

// nothing is an exchange, or a request, that has ended.
type nothing struct{}

func (nothing) Start() error   { return nil }
func (nothing) Receive() error { return nil }
func (nothing) Wait() error    { return nil }
func (nothing) Free()          {}
