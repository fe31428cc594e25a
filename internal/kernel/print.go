package kernel

// Prints returns the statements of k that print, which only the Go function itself can execute.
func (k *Kernel) Prints() []*Print {
	var list []*Print
	for _, f := range k.Funcs {
		Walk(f.Body, func(s Stmt) {
			if p, ok := s.(*Print); ok {
				list = append(list, p)
			}
		}, nil)
	}
	return list
}
