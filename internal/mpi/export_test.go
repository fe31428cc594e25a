package mpi

import (
	"time"

	"github.com/go-op2/op2/internal/comm"
)

// SetPiece makes messages travel in pieces of at most n bytes, until the function it returns is
// called.
func SetPiece(n int) (restore func()) {
	was := piece
	piece = n
	return func() { piece = was }
}

// Identify exports identify.
var Identify = identify

// Landed reports whether all that an exchange receives and sends is known to have come, without a call
// of MPI.
func Landed(of comm.Exchange) bool {
	e := of.(*exchange)
	e.comm.progress.mu.Lock()
	defer e.comm.progress.mu.Unlock()
	return e.receiving.landed == e.receiving.requests.n && e.sending.landed == e.sending.requests.n
}

// Gives reports whether a rank that has waited for a short time gives way to others on its core, rather
// than sleep, if it lost the core to another program so long ago.
func Gives(lost time.Duration) bool {
	now := time.Now()
	p := pause{since: now, core: &core{lost: now.Add(-lost)}}
	return p.gives(now)
}

// FindFor exports find.
var FindFor = find

// Find exports installed.
func Find() (*Library, error) {
	process.Lock()
	defer process.Unlock()
	return installed()
}
