// Package op2 runs computations on unstructured meshes: a kernel for one mesh element, written in
// Go or C, runs for every element of a set, on goroutines, as C compiled at run time, or on GPUs,
// from the same program.
//
// A program opens a [Runtime], declares each [Set] of mesh elements, the [Map]s between them, and
// the [Dat]s on them, with one check for all ([Runtime.Err]), and calls [ParLoop] with a kernel, the
// set to run over, and for each parameter of the kernel how it is accessed:
//
//	err := op2.ParLoop(flux, edges,
//		x.Read(edge2node.At(0)), x.Read(edge2node.At(1)), // one component of a map
//		q.Read(edge2cell),                                // all components at once
//		res.Inc(edge2cell.At(0)), res.Inc(edge2cell.At(1)))
//
// A [Mat] is a sparse matrix that loops assemble, with a [Sparsity] as its pattern; a [Subset]
// restricts loops to some elements, for example for boundary conditions: docs/matrices.md. Package
// solver solves linear systems with it.
//
// A kernel is either a top-level Go function whose parameters are pointers or slices, and whose source is
// embedded so that it can be translated ([Kernels]), or a C function (package ckernel). docs/kernels.md
// describes what kernels may do; docs/concepts.md defines the terms.
package op2
