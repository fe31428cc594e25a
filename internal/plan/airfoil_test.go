package plan

import "testing"

// meshes are the indirections of the airfoil program, on the mesh that mesh.NACA0012(i, j) makes.
type meshes struct {
	nodes, cells, edges, bedges                             int
	cellNodes, edgeNodes, edgeCells, bedgeNodes, bedgeCells []int32
}

// airfoil returns the indirections on a grid of 3i by j cells, whose lowest row is folded around an
// airfoil.
func airfoil(_ testing.TB, i, j int) *meshes {
	columns := 3 * i
	node := func(c, r int) int32 { return int32(c + r*(columns+1)) }
	cell := func(c, r int) int32 { return int32(c + r*columns) }
	m := &meshes{nodes: (columns + 1) * (j + 1), cells: columns * j}
	edge := func(a, b, left, right int32) {
		m.edges++
		m.edgeNodes, m.edgeCells = append(m.edgeNodes, a, b), append(m.edgeCells, left, right)
	}
	bedge := func(a, b, inside int32) {
		m.bedges++
		m.bedgeNodes, m.bedgeCells = append(m.bedgeNodes, a, b), append(m.bedgeCells, inside)
	}
	for r := range j {
		for c := range columns {
			m.cellNodes = append(m.cellNodes, node(c, r), node(c+1, r), node(c+1, r+1), node(c, r+1))
			if r == 0 && c < i { // across the cut behind the airfoil
				edge(node(c, r), node(c+1, r), cell(columns-1-c, r), cell(c, r))
			}
			if r < j-1 {
				edge(node(c, r+1), node(c+1, r+1), cell(c, r), cell(c, r+1))
			}
			if c < columns-1 {
				edge(node(c+1, r), node(c+1, r+1), cell(c+1, r), cell(c, r))
			}
		}
	}
	for c := i; c < 2*i; c++ {
		bedge(node(c+1, 0), node(c, 0), cell(c, 0))
	}
	for r := range j {
		bedge(node(columns, r+1), node(columns, r), cell(columns-1, r))
	}
	for c := columns - 1; c >= 0; c-- {
		bedge(node(c, j), node(c+1, j), cell(c, j-1))
	}
	for r := j - 1; r >= 0; r-- {
		bedge(node(0, r), node(0, r+1), cell(0, r))
	}
	return m
}

func (m *meshes) adtCalc(blockSize int, staging bool) *Input {
	return &Input{
		Last: m.cells, BlockSize: blockSize, ElementColors: staging,
		Maps: []Map{{ID: 1, Arity: 4, Targets: m.nodes, Values: m.cellNodes}},
		Data: []Data{through(false, staging, 1)}, // x
	}
}

func (m *meshes) resCalc(blockSize int, staging bool) *Input {
	return &Input{
		Last: m.edges, BlockSize: blockSize, ElementColors: staging,
		Maps: []Map{{ID: 2, Arity: 2, Targets: m.nodes, Values: m.edgeNodes}, {ID: 3, Arity: 2, Targets: m.cells, Values: m.edgeCells}},
		Data: []Data{through(false, staging, 2), through(false, staging, 3), through(false, staging, 3), through(true, staging, 3)}, // x, q, adt, res
	}
}

func (m *meshes) bresCalc(blockSize int, staging bool) *Input {
	return &Input{
		Last: m.bedges, BlockSize: blockSize, ElementColors: staging,
		Maps: []Map{{ID: 4, Arity: 2, Targets: m.nodes, Values: m.bedgeNodes}, {ID: 5, Arity: 1, Targets: m.cells, Values: m.bedgeCells}},
		Data: []Data{through(false, staging, 4), through(false, staging, 5), through(true, staging, 5)},
	}
}
