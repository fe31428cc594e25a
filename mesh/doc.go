// Package mesh creates, reads and writes unstructured meshes as plain data: slices of coordinates
// and of indices, numbered from 0, ready to become sets, maps and dats.
//
// It holds the mesh of OP2's airfoil benchmark, [Airfoil]: generated at any resolution by [NACA0012], or read
// from and written to the text format new_grid.dat by [ReadAirfoil] and [Airfoil.Write].
//
// It is not a mesh library: it does not refine, partition, renumber or search, and it knows nothing of sets,
// loops or devices. It imports nothing of op2, so that a program can use it without the rest.
//
// Its callers are the examples, the benchmarks, the tests and the mesh command.
package mesh
