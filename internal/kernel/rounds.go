package kernel

// Rounds reports whether k converts a float to the type that it has already: in Go that rounds it, so that
// no product before and sum after become one operation. Compilers for other languages know no such
// thing within a function, and are told to round everywhere.
func (k *Kernel) Rounds() bool {
	found := false
	for _, f := range k.Funcs {
		Walk(f.Body, nil, func(e Expr) {
			c, ok := e.(*Convert)
			found = found || ok && !k.IsC() && Scalar(c.T).Float() && Scalar(c.T) == Scalar(c.X.Type())
		})
	}
	return found
}
