// Package optest has what tests of the public package share, wherever they are: one cache for a
// package's tests, declarations that must succeed, comparisons, random meshes and systems, and a
// backend on a device whose memory is Go's.
package optest
