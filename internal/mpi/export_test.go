package mpi

// SetPiece makes messages travel in pieces of at most n bytes, until the function it returns is
// called.
func SetPiece(n int) (restore func()) {
	was := piece
	piece = n
	return func() { piece = was }
}

// Identify exports identify.
var Identify = identify
