package precondition

import "github.com/go-op2/op2/internal/parallel"

// Blocks is block Jacobi: the rows are divided into blocks of about equal size, each with its own
// ILU; couplings between blocks are ignored. The result depends on the number of blocks, but not on
// the number of workers.
type Blocks struct {
	blocks  []*ILU
	workers int
}

// NewBlocks prepares block Jacobi for a matrix with Dim 1.
func NewBlocks(m *Matrix, blocks, workers int) (*Blocks, error) {
	rows := m.rows()
	blocks = max(1, min(blocks, rows))
	p := &Blocks{workers: workers}
	for b := range blocks {
		ilu, err := newILU(m, b*rows/blocks, (b+1)*rows/blocks)
		if err != nil {
			return nil, err
		}
		p.blocks = append(p.blocks, ilu)
	}
	return p, nil
}

// Update factorizes the blocks.
func (p *Blocks) Update() error {
	return parallel.EachOn(p.workers, len(p.blocks), func(b int) error { return p.blocks[b].Update() })
}

// Apply applies the blocks.
func (p *Blocks) Apply(z, r []float64) {
	_ = parallel.EachOn(p.workers, len(p.blocks), func(b int) error {
		p.blocks[b].Apply(z, r)
		return nil
	})
}
