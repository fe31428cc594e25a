// Package dl loads native libraries at run time, without cgo. A library stays loaded for as
// long as the process runs.
package dl
