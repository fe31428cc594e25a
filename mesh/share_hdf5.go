package mesh

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
)

// hdf5Part reads a rank's part of a file: its rows of each dataset.
func hdf5Part(rt *entity.Runtime, path string) (*rankPart, error) {
	l, err := openHDF5()
	if err != nil {
		return nil, err
	}
	file, err := l.Open(path, false, nil)
	if err != nil {
		return nil, fmt.Errorf("mesh: %s: %w", path, err)
	}
	r := hdf5Reader{file: file, share: true, piece: func(n int) span { return pieceOf(rt.Comm(), n) }}
	m, err := r.read()
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("mesh: %s: %w", path, err)
	}
	p := &rankPart{dim: m.Dim, points: m.Points, asIs: true, anyOf: true}
	for i, b := range m.Blocks {
		if i > 0 && b.Kind.Dim() > m.Blocks[i-1].Kind.Dim() || slices.Contains(p.kinds, b.Kind) {
			return nil, fmt.Errorf("mesh: %s: expected one block for each kind, those of higher dimension first", path)
		}
		p.kinds, p.elements = append(p.kinds, b.Kind), append(p.elements, widened(b.Nodes))
	}
	for _, g := range m.Groups {
		var nodes []int64
		if len(g.Members) > 0 && g.Members[0].Block < 0 {
			nodes, g.Members = widened(g.Members[0].Elements), g.Members[1:]
		}
		p.groups, p.nodes = append(p.groups, g), append(p.nodes, nodes)
	}
	return p, nil
}

func widened(values []int32) []int64 {
	wide := make([]int64, len(values))
	for i, v := range values {
		wide[i] = int64(v)
	}
	return wide
}
