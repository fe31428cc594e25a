// Package gofunc is the backend `go`: kernels run as plain Go functions, on goroutines. It needs
// nothing but the program itself.
//
// A kernel's parameters are pointers, and Go passes pointers alike whatever they point to, so
// that every kernel with k parameters can be called as a func(P, ..., P) of k unsafe.Pointers,
// without reflection and without a closure for each kernel (calls.go). Slices are passed as their
// words (words.go, parameters.go).
//
// arguments.go decides for each argument whether the kernel gets the data in place or a copy.
// Elements run in strips (body.go, strips.go): transfers fetch the copies of all of them (transfer.go, moves.go),
// strides or a table hold the addresses of all parameters (table.go), and results are stored in the
// order of the elements.
//
// Blocks of fixed size form the batches of a color (package crew). The caller and the goroutines of a
// pool take them one by one, as many as the loop's pace allows (package pace). Reductions
// combine the blocks' partial results in order, so that results do not depend on the number of
// goroutines.
//
// In a fused loop, kernels run one after another in each block (runner.go), so that a block's values are
// still in a cache when the next kernel uses them: the plan is that of all together, each kernel has
// arguments of its own.
//
// Several loops run tile by tile (tiles.go): goroutines take groups of tiles as they take blocks.
package gofunc
