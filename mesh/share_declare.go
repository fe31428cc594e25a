package mesh

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
)

// declarable returns an error unless the mesh can be declared on a runtime.
func (m *Mesh) declarable(rt *op2.Runtime) error {
	if m.share != nil && m.share.rt != (*entity.Runtime)(rt) {
		return fmt.Errorf("mesh: Declare: the mesh is a share that ReadShare has read for another runtime")
	}
	return m.fits()
}

// newSet declares a set, of which a share declares n elements.
func (to *Declared) newSet(n int, name string) *op2.Set {
	if to.mesh.share != nil {
		return to.rt.NewSetShare(n, name)
	}
	return to.rt.NewSet(n, name)
}

// cellsHere returns how many of all cells this rank declares.
func (m *Mesh) cellsHere() int {
	if s := m.share; s != nil {
		slabs, rank := s.cellSlabs(m), s.rt.Rank()
		return int(slabs[rank+1] - slabs[rank])
	}
	return m.Cells()
}

// cellSlabs returns the first of all cells that each rank declares, and the end. Cells of several kinds are numbered kind by
// kind: then a rank declares others than those that it has read.
func (s *share) cellSlabs(m *Mesh) []int64 {
	if len(m.CellBlocks()) == 1 {
		return s.starts[0]
	}
	return evenly(s.cells, s.rt.Ranks())
}

// cellNumber returns the declared number among all cells of an element of a block.
func (m *Mesh) cellNumber(block int, element int32) int32 {
	if s := m.share; s != nil {
		return int32(s.before[block]+s.first(block)) + element
	}
	for b := range block {
		element += int32(m.Blocks[b].Len())
	}
	return element
}

// collectively returns the result of a method of a whole mesh, or of that for shares.
func collectively[T any](m *Mesh, whole, ofShare func() (T, error)) (t T, err error) {
	if m.share == nil {
		return whole()
	}
	if err := m.share.rt.Enter(); err != nil {
		return t, err
	}
	defer m.share.rt.Leave()
	return ofShare()
}

// oneAfterTheOther returns the nodes of those facets that the rank declares if those of the interior and of the boundary
// are one set, given the ones of each that it has. It is collective.
func (to *Declared) oneAfterTheOther(f *Facets, nodes []int32, arity int) []int32 {
	s := to.mesh.share
	rows, err := collectively(to.mesh, nil, func() ([]int32, error) {
		var starts [2]int32
		for i, side := range []*Sides{&f.Interior, &f.Boundary} {
			all, err := halo.Offsets(s.rt.Comm(), int64(side.Len()))
			if err != nil {
				return nil, s.rt.Broken(err)
			}
			starts[i] = int32(all[s.rt.Rank()]) + int32(i)*f.interior
		}
		var rows []int32
		for n := range len(nodes) / arity {
			number := starts[0] + int32(n)
			if n >= f.Interior.Len() {
				number = starts[1] + int32(n-f.Interior.Len())
			}
			rows = append(append(rows, number), nodes[n*arity:(n+1)*arity]...)
		}
		return spread(s.rt, int64(f.all), rows, 1+arity)
	})
	if !to.check(err) {
		return nil
	}
	return rows
}

// declaredBy sends elements of a set, by their numbers, to the ranks that declare them, unless there is an error on any rank.
// It is collective.
func (s *share) declaredBy(of *op2.Set, elements []int32, err error) ([]int32, error) {
	if err := s.rt.Enter(); err != nil {
		return nil, err
	}
	defer s.rt.Leave()
	if err := s.rt.Agree(err); err != nil {
		return nil, err
	}
	return homeward(s.rt, (*entity.Set)(of).Shares(), elements)
}

// cornersAmong is that of [Corners] for nodes by their declared numbers. It is collective.
func (s *share) cornersAmong(nodes []int32) ([]int32, error) {
	if err := s.rt.Enter(); err != nil {
		return nil, err
	}
	defer s.rt.Leave()
	here, err := homeward(s.rt, s.homes, nodes)
	var corners []int32
	for _, n := range here {
		if c := s.corner[n-int32(s.homes[s.rt.Rank()])]; c >= 0 {
			corners = append(corners, c)
		}
	}
	return corners, err
}
