// Package tiling cuts a sequence of loops into tiles, so that what one loop leaves in a cache is used
// by the next before it is evicted.
//
// A tile holds some elements of each loop, which run loop after loop, and tile follows tile. Inspect
// assigns elements to tiles from the loops' maps and accesses alone: an element runs no earlier than
// what it depends on, in any loop before its own. Values come out as they do loop by loop, to the last
// bit where the order of increments to each target is kept. Check proves a schedule without the
// reasoning that made it.
//
// For several threads the tiles form groups, each of which one thread runs from its first tile to its
// last. Groups of a stage share no values that any of them changes, and stages follow each other. The
// first stage has nearly everything, one group for each part of the seed set; elements that two
// neighboring parts reach form the seam between them, in the second stage, and what is left is the
// third, a single group. Nothing depends on the number of threads.
//
// The method is sparse tiling (Strout, Luporini and others, "Generalizing Run-time Tiling with the Loop
// Chain Abstraction", 2014), projected for each storage instead of each set.
//
// The package is pure: it knows numbers of elements, maps and accesses, no data and no code.
package tiling
