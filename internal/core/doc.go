// Package core implements what package op2 consists of, below its public interface:
//
//   - memory that the host and a device share (Storage), and views of it (Data);
//   - sets and their parts (Set, Extents, Subset, Range), maps (Map, Via) and patterns (Sparsity);
//   - arguments (Arg), which are bound to a loop, checked against its kernel and each other;
//   - loops (Loop), prepared once, found again by what they are of, and run;
//   - the runtime that all of it belongs to (Runtime).
//
// The shells of package op2 are the same types under other names, with the methods for programs.
// Solvers, operations on dats and mats, and the queue of calls that wait are above core, and use it like
// op2 does. A runtime asks its Queue when a call runs, a storage its Waiter before its values are used.
// It knows the interface of backends, and none of them.
package core
