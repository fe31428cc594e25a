// Package entity has what programs declare:
//
//   - the runtime that all of it belongs to (Runtime);
//   - sets and their parts (Set, Subset, Range), maps (Map, Via) and patterns (Sparsity);
//   - dats, globals and mats, which are views of storages (Data), and lists of them (MixedData);
//   - arguments (Arg), which say how a kernel uses data.
//
// Files follow one another: what a noun is (set.go, subset.go, range.go, map.go, sparsity.go, data.go, arg.go) stands on the
// runtime, the registers of what has been declared (declared.go, listing.go, program.go) on the nouns, and on both what
// declares (newset.go, newsubset.go, newmap.go, newsparsity.go, newdata.go, derived.go, varying.go, extruded.go, flat.go,
// stacked.go) and what changes what was declared (mapvalues.go, reorder.go, move.go).
//
// The shells of package op2 are the same types under other names, with the methods for programs. On several ranks, a
// set knows which of its elements are here, and package distribute divides what was declared. Loops and calls that wait
// are above: a runtime asks its Work when something changes that they depend on.
package entity
