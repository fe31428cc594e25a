package mesh

// WriteOption is an option of [Mesh.WriteGmsh] and [Mesh.WriteFile].
type WriteOption func(*writing)

// WithText writes numbers as text rather than in binary. They are read back exactly.
func WithText() WriteOption {
	return func(w *writing) { w.text = true }
}

// WithGmsh22 writes Gmsh's format in version 2.2 rather than 4.1, for programs that do not read the newer one.
func WithGmsh22() WriteOption {
	return func(w *writing) { w.version = 2 }
}

// writing holds the options of writing a file.
type writing struct {
	text    bool
	version int // of Gmsh's format: 2 or 4
}

func writeOptions(options []WriteOption) writing {
	w := writing{version: 4}
	for _, o := range options {
		if o != nil {
			o(&w)
		}
	}
	return w
}
