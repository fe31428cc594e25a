package mesh

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/vtu"
)

// vtuPart reads a rank's part of a file. It is collective: ranks tell each other which kinds of cells and which groups
// they have found.
func vtuPart(rt *entity.Runtime, path string) (*rankPart, error) {
	v, err := readVTUPart(rt, path)
	if err := rt.Agree(err); err != nil {
		return nil, err
	}
	found := make([]int64, kinds)
	for _, b := range v.mesh.Blocks {
		found[b.Kind] = 1
	}
	if err := comm.Max(rt.Comm(), found); err != nil {
		return nil, rt.Broken(err)
	}
	p := &rankPart{dim: 3, points: v.grid.Points, anyOf: true}
	var starts []int32
	for _, k := range blockOrder {
		if found[k] == 0 {
			continue
		}
		b := Block{Kind: k}
		if at := slices.IndexFunc(v.mesh.Blocks, func(b Block) bool { return b.Kind == k }); at >= 0 {
			b, v.mesh.Blocks[at].Nodes = v.mesh.Blocks[at], nil
		}
		first, err := p.addEvenly(rt, b)
		if err != nil {
			return nil, err
		}
		p.kinds, starts = append(p.kinds, k), append(starts, first)
	}
	return p, v.addGroups(rt, p, starts)
}

// addEvenly adds a block: of the elements of all ranks, which may be of one kind in one part of a file and of another in the
// next, each gets about as many. It returns the number of the first one that this rank has read. It is collective.
func (p *rankPart) addEvenly(rt *entity.Runtime, b Block) (first int32, err error) {
	starts, err := rt.Offsets(b.Len())
	if err != nil {
		return 0, err
	}
	first = int32(starts[rt.Rank()])
	width := 1 + b.Kind.Nodes()
	rows := make([]int32, 0, b.Len()*width)
	for e := range b.Len() {
		rows = append(append(rows, first+int32(e)), b.Element(e)...)
	}
	nodes, err := spread(rt, starts[rt.Ranks()], rows, width)
	p.elements = append(p.elements, vtu.Convert[int64](nodes))
	return first, err
}

// vtuPartReader reads a part of a grid.
type vtuPartReader struct {
	vtuReader
	first int        // point of the rank
	found []vtuGroup // of each group of the mesh
}

func readVTUPart(rt *entity.Runtime, path string) (*vtuPartReader, error) {
	data, done, err := mapped(path)
	if err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	defer done()
	v := &vtuPartReader{vtuReader: vtuReader{file: path, mesh: Mesh{Dim: 3}}}
	piece := func(n int) (lo, hi int) { s := pieceOf(rt.Comm(), n); return s.lo, s.hi }
	v.grid, err = vtu.ReadPart(data, func(n int) (lo, hi int) {
		v.first, hi = piece(n)
		return v.first, hi
	}, piece, func(name string) bool {
		_, group := groupName(vtu.Array{Name: name, Components: 1})
		return group || name == physicalArray
	})
	if err != nil {
		return nil, vtuError(path, err)
	}
	if err := v.readBlocks(); err != nil {
		return nil, err
	}
	v.found = v.readGroups()
	return v, nil
}

// addGroups gives a part the groups that any rank has found, in the order of a whole mesh. It is collective.
// Starts holds the number of the first element of each block that this rank has read.
func (v *vtuPartReader) addGroups(rt *entity.Runtime, p *rankPart, starts []int32) error {
	all, err := comm.Collect(rt.Comm(), v.found)
	if err != nil {
		return rt.Broken(err)
	}
	keys := slices.Concat(all...)
	sorting.By(keys, vtuGroup.compare)
	keys = slices.Compact(keys)
	text, err := json.Marshal(keys)
	if err == nil {
		text, err = comm.Spread(rt.Comm(), 0, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &keys)
	}
	if err != nil {
		return rt.Broken(err)
	}
	named := anyNamed(keys)
	for _, k := range keys {
		if k.Physical && named {
			continue
		}
		group, nodes := Group{Name: k.Name, Tag: k.Tag, Dim: k.Dim}, []int64(nil)
		for i, kind := range p.kinds {
			if kind.Dim() == k.Dim && k.OnCells {
				group.Members = append(group.Members, Members{Block: i})
			}
		}
		if i := slices.Index(v.found, k); i >= 0 {
			for _, members := range v.mesh.Groups[i].Members {
				if members.Block >= 0 {
					block := slices.Index(p.kinds, v.mesh.Blocks[members.Block].Kind)
					for i := range members.Elements {
						members.Elements[i] += starts[block]
					}
					group.Members[slices.IndexFunc(group.Members, func(m Members) bool { return m.Block == block })].Elements = members.Elements
					continue
				}
				for _, n := range members.Elements {
					nodes = append(nodes, int64(v.first)+int64(n))
				}
			}
		}
		p.groups, p.nodes = append(p.groups, group), append(p.nodes, nodes)
	}
	return nil
}
