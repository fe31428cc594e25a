package precondition

import (
	"sync"
	"sync/atomic"
)

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
	failed := make([]error, len(p.blocks))
	share(len(p.blocks), p.workers, func(b int) { failed[b] = p.blocks[b].Update() })
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// Apply applies the blocks.
func (p *Blocks) Apply(z, r []float64) {
	share(len(p.blocks), p.workers, func(b int) { p.blocks[b].Apply(z, r) })
}

// share calls f for each number below n, on several workers.
func share(n, workers int, f func(int)) {
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var group sync.WaitGroup
	for range min(workers, n) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}
