// Package core holds what sets, dats, globals and mats are below what a user sees of them:
// memory that the host and a device share (Storage), and the parts of a set (Extents). It knows
// neither kernels nor loops, nor how they run.
package core
