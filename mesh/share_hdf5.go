package mesh

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/vtu"
)

// hdf5Part reads a rank's part of a file: its rows of each dataset.
func hdf5Part(rt *entity.Runtime, path string) (*rankPart, error) {
	r := hdf5Reader{share: true, piece: func(n int) span { return pieceOf(rt.Comm(), n) }}
	m, err := r.readFile(path)
	if err != nil {
		return nil, err
	}
	p := &rankPart{dim: m.Dim, points: m.Points, asIs: true, anyOf: true}
	for i, b := range m.Blocks {
		if i > 0 && b.Kind.Dim() > m.Blocks[i-1].Kind.Dim() || slices.Contains(p.kinds, b.Kind) {
			return nil, fmt.Errorf("mesh: %s: expected one block for each kind, those of higher dimension first", path)
		}
		p.kinds, p.elements = append(p.kinds, b.Kind), append(p.elements, vtu.Convert[int64](b.Nodes))
	}
	for _, g := range m.Groups {
		var nodes []int64
		if len(g.Members) > 0 && g.Members[0].Block < 0 {
			nodes, g.Members = vtu.Convert[int64](g.Members[0].Elements), g.Members[1:]
		}
		p.groups, p.nodes = append(p.groups, g), append(p.nodes, nodes)
	}
	return p, nil
}
