// Package plan splits one parallel loop into parts that can run at the same time.
//
// The iteration range is cut into contiguous blocks (mini-partitions). Blocks of one color reach no
// common target through anything that the loop changes, so that threads may run them at once;
// neither do elements of one color within a block, for devices that run the elements of a block at
// once. For devices that copy a block's data into fast memory, each block has a sorted list of the
// targets it reaches, and its references are numbered within that list.
//
// [Build] builds a [Plan] from an [Input], [Check] verifies one without sharing code with Build,
// and [Cache] shares plans between loops with the same indirections.
//
// The package is pure: plain data in, plain data out. It knows nothing of kernels, value types or
// memory. Package bind builds inputs and plans, backends read plans.
//
// Sources: "Parallel Execution Plan" in PyOP2's manual, and section 3 of M. B. Giles, "OP2
// Developers Guide". The names that those documents use for the fields of a plan are given in
// parentheses.
package plan
