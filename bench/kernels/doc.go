// Package kernels is a corpus: kernels of methods that programs on meshes use, and the
// loops that run them, each on data such as the method meets. What decides how generated
// code runs is calibrated on it, and every backend is held to the same results.
//
// The files are named for the fields that the kernels come from; mesh.go declares sets,
// maps and data, loops.go is the table.
package kernels
