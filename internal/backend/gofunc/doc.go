// Package gofunc is the backend `go`: kernels run as the Go functions they are, on
// goroutines. It needs nothing but the program itself.
//
// A kernel's parameters are all pointers, and Go passes pointers alike whatever
// they point to, so that every kernel with k parameters can be called as a
// func(P, ..., P) of k unsafe.Pointers: there is no reflection and no closure for
// each kernel (calls.go). prepare.go turns arguments into the steps of run.go: where
// the pointers of an element come from, and what is gathered before the call and
// put back after it. Elements are run in blocks of fixed size, so that reductions,
// which combine the blocks' partial results in order, do not depend on the number
// of goroutines.
package gofunc
