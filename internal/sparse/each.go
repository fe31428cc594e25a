package sparse

// Each calls f for every value of a matrix: its row, its column, and its index.
func Each(p *Pattern, b Blocks, f func(r, c, at int)) {
	for r := range p.Rows {
		for k := int(p.RowPtr[r]); k < int(p.RowPtr[r+1]); k++ {
			for j := range b.Cols {
				for i := range b.Rows {
					f(r*b.Rows+i, int(p.ColIdx[k])*b.Cols+j, k*b.Size()+j*b.Rows+i)
				}
			}
		}
	}
}
