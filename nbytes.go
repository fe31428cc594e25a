package op2

// NBytes returns the size of the values in bytes. If loops run on a device, the dat may occupy as
// much again there.
func (d *Dat[T]) NBytes() int64 {
	return int64(d.Set().Size()) * int64(d.Dim()) * int64(orEmpty(d).scalar.Size())
}

// NBytes returns the size of the values in bytes.
func (g *Global[T]) NBytes() int64 { return int64(g.Dim()) * int64(orEmpty(g).scalar.Size()) }

// NBytes returns the size of the map's values in bytes.
func (m *Map) NBytes() int64 { return 4 * int64(m.From().Size()) * int64(m.Arity()) }

// NBytes returns the size of the values in bytes. The pattern, which matrices share, has its own.
func (m *Mat[T]) NBytes() int64 {
	return int64(m.Sparsity().Blocks()) * int64(orEmpty(m.Sparsity()).blocks.Size()) * int64(orEmpty(m).scalar.Size())
}

// NBytes returns the size of the pattern in bytes: 4 for each row and each block.
func (s *Sparsity) NBytes() int64 { return s.entries().Bytes() }
