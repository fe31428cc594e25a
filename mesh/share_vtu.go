package mesh

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
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
	for k := range kinds {
		if found[k] > 0 {
			p.kinds = append(p.kinds, k)
		}
	}
	sorting.By(p.kinds, func(a, b Kind) int { return cmp.Compare(b.Dim(), a.Dim()) })
	starts := make([]int32, len(p.kinds))
	for i, k := range p.kinds {
		b := Block{Kind: k}
		if at := slices.IndexFunc(v.mesh.Blocks, func(b Block) bool { return b.Kind == k }); at >= 0 {
			b, v.mesh.Blocks[at].Nodes = v.mesh.Blocks[at], nil
		}
		if starts[i], err = p.addEvenly(rt, b); err != nil {
			return nil, err
		}
	}
	return p, v.addGroups(rt, p, starts)
}

// addEvenly adds a block: of the elements of all ranks, which may be of one kind in one part of a file and of another in the
// next, each gets about as many. It returns the number of the first one that this rank has read. It is collective.
func (p *rankPart) addEvenly(rt *entity.Runtime, b Block) (first int32, err error) {
	starts, err := halo.Offsets(rt.Comm(), int64(b.Len()))
	if err != nil {
		return 0, rt.Broken(err)
	}
	first = int32(starts[rt.Rank()])
	width := 1 + b.Kind.Nodes()
	rows := make([]int32, 0, b.Len()*width)
	for e := range b.Len() {
		rows = append(append(rows, first+int32(e)), b.Element(e)...)
	}
	nodes, err := spread(rt, starts[rt.Ranks()], rows, width)
	p.elements = append(p.elements, widened(nodes))
	return first, err
}

// vtuPartReader reads a part of a grid.
type vtuPartReader struct {
	vtuReader
	first int           // point of the rank
	found []vtuGroupKey // of each group of the mesh
}

// vtuGroupKey names a group: by the place of its array among all, and its dimension and tag.
type vtuGroupKey struct {
	Array, Dim, Tag int
	Name            string
	Physical        bool // by meshio's array, which counts where there is no other of cells
	OnCells         bool
}

func (k vtuGroupKey) compare(l vtuGroupKey) int {
	return cmp.Or(cmp.Compare(k.Array, l.Array), cmp.Compare(k.Dim, l.Dim), cmp.Compare(k.Tag, l.Tag))
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
	if wrong := (*vtu.Error)(nil); errors.As(err, &wrong) {
		return nil, &FormatError{File: path, Offset: int64(wrong.Offset), Msg: wrong.Msg}
	}
	if err != nil {
		return nil, fmt.Errorf("mesh: %s: %w", path, err)
	}
	if err := v.readBlocks(); err != nil {
		return nil, err
	}
	v.readGroupsOf(v.grid.PointData, 0, true)
	v.readGroupsOf(v.grid.CellData, len(v.grid.PointData), false)
	return v, nil
}

// readGroupsOf makes groups of arrays, and notes which these are.
func (v *vtuPartReader) readGroupsOf(arrays []vtu.Array, before int, onNodes bool) {
	for i, a := range arrays {
		name, found := groupName(a)
		if a.Components != 1 || !found && onNodes {
			continue
		}
		have := len(v.mesh.Groups)
		v.readGroup(name, a, onNodes)
		for _, g := range v.mesh.Groups[have:] {
			v.found = append(v.found, vtuGroupKey{before + i, g.Dim, g.Tag, g.Name, !found, !onNodes})
		}
	}
}

// addGroups gives a part the groups that any rank has found, in the order of a whole mesh. It is collective.
// Starts holds the number of the first element of each block that this rank has read.
func (v *vtuPartReader) addGroups(rt *entity.Runtime, p *rankPart, starts []int32) error {
	all, err := comm.Collect(rt.Comm(), v.found)
	if err != nil {
		return rt.Broken(err)
	}
	keys := slices.Concat(all...)
	sorting.By(keys, vtuGroupKey.compare)
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
	others := slices.ContainsFunc(keys, func(k vtuGroupKey) bool { return k.OnCells && !k.Physical })
	for _, k := range keys {
		if k.Physical && others {
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
