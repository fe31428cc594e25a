// Package hdf5 is a thin binding of libhdf5, which it finds at run time: files, groups, datasets and their
// hyperslabs, attributes, types that are laid out like Go's, compression, and parallel access through MPI.
//
// Serial and parallel builds work, and all versions from 1.8 on: identifiers have 32 bits before 1.10, 64 since.
// The library is not thread-safe in most builds, so that calls take turns. A failure is returned as an *[Error] with
// the library's own message, which it would otherwise print.
//
// The binding knows nothing of sets and dats, but for how OP2 stores them, [Table]. The public
// package hdf5 and package mesh call it.
package hdf5
