package kernel

// Rounds reports whether k converts a float to the type that it already has: in Go that rounds it,
// so that a product before and a sum after are not fused. Compilers for other languages have no
// such construct within a function, and must round everywhere.
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
