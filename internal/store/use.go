package store

// BeforeUse makes the storage call f once, before the values are next used: read, changed, or all replaced, which is
// never an error. Nil ends that.
func (s *Storage) BeforeUse(f func(replaces bool) error) { s.first = f }

// Unused runs f, which may move the values elsewhere, as if it did not use them.
func (s *Storage) Unused(f func() error) error {
	s.TakeBack()
	first := s.first
	s.first = nil
	err := f()
	s.first = first
	return err
}

// Use says that the values are going to be used, in place, and whether all that belong to this rank are replaced
// without having been read. Each call of a loop says so for all its storages: that is inlined, the rest is not.
func (s *Storage) Use(replaces bool) error {
	if s.lent != nil || s.first != nil {
		return s.use(replaces)
	}
	return nil
}

//go:noinline
func (s *Storage) use(replaces bool) error {
	s.TakeBack()
	first := s.first
	if s.first = nil; first == nil {
		return nil
	}
	return first(replaces)
}
