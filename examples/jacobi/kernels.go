package main

var alpha = 1.0 // a const: update reads it

// residual adds one nonzero of the matrix, times the value at its column, to the change
// of its row.
func residual(a, u, du, beta *float64) {
	*du += *beta * *a * *u
}

// update adds a node's change and its right-hand side to its value, and computes the
// sum of squares and the maximum of the values.
func update(r, du, u, sum, largest *float64) {
	*u += *du + alpha**r
	*du = 0
	*sum += *u * *u
	*largest = max(*largest, *u)
}
