package entity

// registers list what has been declared on a runtime, and what follows when it changes.
type registers struct {
	mesh      Declared
	listed    listing
	program   Program
	followers followers
}

// Mesh returns what has been declared.
func (rt *Runtime) Mesh() *Declared { return &rt.mesh }

// mesh returns the one that a set joins; nil for a set that has its order and its ranks.
func (s *Set) mesh() *Declared {
	if !s.joins {
		return nil
	}
	return &s.rt.mesh
}
