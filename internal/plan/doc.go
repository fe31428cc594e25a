// Package plan splits one parallel loop into parts that can run at the same time.
//
// The iteration range is cut into contiguous blocks (mini-partitions). Blocks of one
// color reach no common target through anything that the loop changes, so that
// threads may run them at once; within a block, elements of one color do not either,
// for devices that run the elements of a block at once. For devices that copy what
// a block needs into fast memory there are, for each block, the sorted list of the
// targets it reaches and the numbers of its references in that list.
//
// [Build] makes a [Plan] from an [Input], [Check] proves one, sharing no code
// with Build, and [Cache] lets loops with the same indirections share one.
//
// The package is pure: plain data in, plain data out. It knows nothing of kernels,
// types of values or memory. Package op2 makes inputs, backends read plans.
//
// Sources: "Parallel Execution Plan" of PyOP2's manual, and section 3 of
// M. B. Giles, "OP2 Developers Guide". Names that those documents use for a field of the
// plan are given in its comment.
package plan
