// Package kernels is a corpus: kernels of methods used by programs on meshes, and loops that run
// them, each on data typical of the method. The estimate of how generated code should run is
// calibrated on it, and every backend must give the same results.
//
// The files are named for the fields that the kernels come from; mesh.go declares sets, maps and
// data, loops.go contains the table.
package kernels
