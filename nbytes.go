package op2

// NBytes is the size of the values in bytes. Where loops run on a device, it may have as much
// again.
func (d *Dat[T]) NBytes() int64 { return int64(d.set.size) * int64(d.dim) * int64(d.scalar.Size()) }

// NBytes is the size of the values in bytes.
func (g *Global[T]) NBytes() int64 { return int64(g.dim) * int64(g.scalar.Size()) }

// NBytes is the size of the map's entries in bytes.
func (m *Map) NBytes() int64 { return 4 * int64(m.from.size) * int64(m.arity) }

// NBytes is the size of the values in bytes. The pattern, which matrices share, has its own.
func (m *Mat[T]) NBytes() int64 {
	return int64(m.sparsity.Blocks()) * int64(m.sparsity.blocks.Size()) * int64(m.scalar.Size())
}

// NBytes is the size of the pattern in bytes: 4 for each row and each block.
func (s *Sparsity) NBytes() int64 { return s.pattern.Bytes() }
