package mesh

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// BoundaryOf returns the boundary edges or faces, a subset of Bedges or Bfaces, that belong to the groups of the given
// names; with several names, to any of them; without names, all of the boundary. The same names give the same subset
// again.
//
// It is an error of [op2.Runtime.Err] if there is no such group, if its elements are none of the boundary, or
// if the boundary has not been declared by [WithEdges] or [WithFaces].
func (to *Declared) BoundaryOf(names ...string) *op2.Subset {
	set := to.Bedges
	if to.Bfaces.Err() == nil {
		set = to.Bfaces
	}
	return to.subset(set, "BoundaryOf", names, func() (all []int32, err error) {
		if set.Err() != nil {
			return nil, fmt.Errorf("mesh: BoundaryOf: the boundary is not declared\n  hint: give WithEdges or WithFaces to Declare")
		}
		if len(names) == 0 {
			return to.mesh.share.own(set), nil
		}
		for _, name := range names {
			g, err := to.mesh.find(name, to.mesh.CellDim()-1)
			if err != nil {
				return nil, err
			}
			interior, boundary, err := to.facets.Group(g)
			if err != nil {
				return nil, err
			}
			if len(interior) > 0 {
				return nil, fmt.Errorf("mesh: group %q: %d of its elements are between two cells, not on the boundary", name, len(interior))
			}
			all = append(all, boundary...)
		}
		return all, nil
	})
}

// NodesOf returns the nodes of the elements in the groups of the given names; without names, all
// nodes of the boundary. The same names give the same subset again. It is an error of [op2.Runtime.Err] if there is no
// such group.
func (to *Declared) NodesOf(names ...string) *op2.Subset {
	return to.subset(to.Nodes, "NodesOf", names, func() ([]int32, error) { return to.nodesOf(names) })
}

// CornersOf returns the corners of the elements in the groups of the given names; without names, all corners on the
// boundary. The same names give the same subset again. It is an error of [op2.Runtime.Err] if there is no such group, or
// if the corners have not been declared by [WithCorners].
func (to *Declared) CornersOf(names ...string) *op2.Subset {
	return to.subset(to.Corners, "CornersOf", names, func() ([]int32, error) {
		nodes, err := to.nodesOf(names)
		switch {
		case err != nil:
			return nil, err
		case to.Corners.Err() != nil:
			return nil, fmt.Errorf("mesh: CornersOf: the corners are not declared\n  hint: give WithCorners to Declare")
		}
		if s := to.mesh.share; s != nil {
			return s.cornersAmong(nodes)
		}
		return to.corners.Among(nodes), nil
	})
}

// nodesOf returns the nodes of the elements in groups; without names, all nodes of the boundary.
func (to *Declared) nodesOf(names []string) ([]int32, error) {
	if len(names) > 0 {
		nodes, err := to.mesh.groupNodes(names)
		return to.mesh.share.declared(nodes), err
	}
	if !to.findFacets() {
		return nil, to.err
	}
	return to.facets.Boundary.Nodes(), nil
}

// CellsOf returns the cells in the groups of the given names, such as those of one material; without names, all
// cells. The same names give the same subset again. It is an error of [op2.Runtime.Err] if there is no such group, or if
// its elements are not cells.
func (to *Declared) CellsOf(names ...string) *op2.Subset {
	return to.subset(to.Cells, "CellsOf", names, func() (all []int32, err error) {
		m := to.mesh
		if len(names) == 0 {
			return m.share.own(to.Cells), nil
		}
		for _, name := range names {
			g, err := m.find(name, m.CellDim())
			if err != nil {
				return nil, err
			}
			if g.Dim != m.CellDim() || g.Dim == 0 {
				return nil, fmt.Errorf("mesh: group %q has elements of dimension %d, cells have %d", name, g.Dim, m.CellDim())
			}
			for _, members := range g.Members {
				for _, e := range members.Elements {
					all = append(all, m.cellNumber(members.Block, e))
				}
			}
		}
		return all, nil
	})
}

// subset declares the elements of a set that find returns by their numbers in the mesh, unless it has been before.
func (to *Declared) subset(of *op2.Set, method string, names []string, find func() ([]int32, error)) *op2.Subset {
	names = slices.Clone(names)
	sort.Strings(names)
	names = slices.Compact(names)
	name := strings.Join(names, "+")
	switch {
	case len(names) == 0 && of == to.Cells:
		name = "all cells"
	case name == "":
		name = "boundary"
	}
	at := fmt.Sprintf("%s %q", method, names)
	if s := to.subsets[at]; s != nil {
		return s
	}
	elements, err := []int32(nil), to.err
	if err == nil {
		elements, err = find()
		if s := to.mesh.share; s != nil {
			elements, err = s.declaredBy(of, elements, err)
		}
	}
	if err != nil {
		of = failed(to.rt, err).NewSet(0, name)
	}
	to.subsets[at] = op2.NewSubset(of, elements, name)
	return to.subsets[at]
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
