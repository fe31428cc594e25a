// Package gofunc is the backend `go`: kernels run as the Go functions they are, on
// goroutines. It needs nothing but the program itself.
//
// A kernel's parameters are all pointers, and Go passes pointers alike whatever
// they point to, so that every kernel with k parameters can be called as a
// func(P, ..., P) of k unsafe.Pointers: there is no reflection and no closure for
// each kernel (calls.go).
//
// prepare.go sorts the arguments: what the kernel gets where it is, and what as copies.
// A strip of elements runs at once (run.go): steps fetch the copies of all of them
// (step.go, moves.go), strides or a table have the addresses of all parameters (table.go), and
// what was left is put away in the order of the elements.
//
// Blocks of fixed size are the batches of a color (batch.go), which the caller and the
// goroutines of a pool take one by one (pool.go), as many as the loop's pace allows
// (package pace). Reductions combine the blocks' partial results in order, so that nothing
// depends on the number of goroutines.
package gofunc
