package gofunc

import "github.com/go-op2/op2/internal/loop"

// Movers of values as a whole, which consist of scalars of some type: they are combined by functions
// that take two values.

// eachWhole returns a mover that calls f with the values of each row and their copy, and how many
// bytes these are.
func eachWhole(scalar loop.Scalar, f func(place, local P, size int)) mover {
	return func(base, local, targets P, step uintptr, rows, dim int) {
		size := uintptr(dim * scalar.Size())
		for i := range uintptr(rows) {
			f(rowAt(base, targets, i, step, size), add(local, i*size), int(size))
		}
	}
}

// combineRows returns the mover that combines rows with their copies by an operation.
func combineRows(op *loop.Op, scalar loop.Scalar) mover {
	return eachWhole(scalar, func(place, local P, size int) { op.Combine(place, local, size/op.Size()) })
}

// addRecords returns the mover that adds the leaves of copies to those of their rows.
func addRecords(l *loop.Layout, scalar loop.Scalar) mover {
	return eachWhole(scalar, func(place, local P, size int) { l.Add(place, local, size/l.Size) })
}

// fillRows returns the mover that sets copies to an operation's identity.
func fillRows(op *loop.Op, scalar loop.Scalar) mover {
	return func(_, local, _ P, _ uintptr, rows, dim int) { op.Begin(local, rows*dim*scalar.Size()/op.Size()) }
}
