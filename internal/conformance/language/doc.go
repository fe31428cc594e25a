// Package language has only tests: what a kernel computes as Go and what it computes as the C that it
// is translated to are the same, bit for bit, and so are its faults.
package language
