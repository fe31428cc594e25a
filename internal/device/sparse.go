package device

// Multiplier is a Device that may have its own library for sparse matrices.
type Multiplier interface {
	Device
	// OpenSparse opens the library. If there is none, the error is a *native.NotFoundError.
	OpenSparse() (Sparse, error)
}

// Sparse is a device's own library for sparse matrices.
type Sparse interface {
	// Name returns the library's usual name, such as "cuSPARSE 12.5".
	Name() string
	// Prepare prepares products with a matrix; y and x are the vectors of the first one. Workspace
	// allocates memory that stays valid as long as the product is used.
	Prepare(m SparseMatrix, y, x Buffer, workspace func(bytes int) (Buffer, error)) (SparseProduct, error)
	Close() error
}

// SparseMatrix is a matrix of scalars, float32 or float64, in CSR format. It has at least one row,
// one column and one nonzero.
type SparseMatrix struct {
	Rows, Cols, Nonzeros  int
	First, Column, Values Buffer // [Rows+1] and [Nonzeros] int32, [Nonzeros] values
	Double                bool
	Deterministic         bool // bitwise reproducible results
}

// SparseProduct is a prepared product. It is released when it becomes unreachable.
type SparseProduct interface {
	// Run queues y = A x, where A has the given values.
	Run(y, x, values Buffer) error
}
