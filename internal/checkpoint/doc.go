// Package checkpoint saves a run at a place of the program, and takes a later run from there on.
//
// The place is a call that the program makes again and again, in each step. A checkpoint has what dats, globals, consts
// and the program's own values were when the place was reached. The same program, started again, makes its
// declarations and initializes what it does, and when it reaches the place for the first time, everything takes the
// saved values: from there on, both runs are the same.
//
// Dats and matrices whose values the program replaces before it reads them need not be saved. Which these are, the run itself
// shows after the place: one that has been replaced first in all steps so far is left out for the time being, and
// watched. If it is read first this time, it is saved then, since its values are still those of the place; if it is
// replaced, it is dropped; what has not been used when the place is reached again is saved then. Only then does the
// checkpoint count. A run that goes on from it has no values of what was dropped: reading them is an error, until
// they have been replaced.
package checkpoint
