package vtk

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/partial"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/mesh"
)

// pieceExtension is that of files that list the pieces of ranks.
const pieceExtension = ".pvtu"

// rankPiece is the part of a mesh that this rank writes: of each kind of cells a contiguous part in declared order, so that
// each cell is in exactly one piece, and their nodes.
type rankPiece struct {
	rt     *entity.Runtime
	of     *mesh.Mesh         // the program's: the whole mesh on each rank, or its share
	shares bool               // it is a share
	share  *partial.MeshError // that ReadShare has read, with the rank's own numbers; otherwise empty
	nodes  *rows
	cells  *rows
	kinds  []*rows // the cells of each block
	parts  []piecePart
}

// newPiece returns this rank's piece of a mesh, and the mesh that it consists of, with the groups and the parts that are asked for.
// It is collective.
func newPiece(rt *entity.Runtime, m *mesh.Mesh, c *config) (p *rankPiece, here *mesh.Mesh, err error) {
	if m == nil {
		err = fmt.Errorf("there is no mesh\n  hint: in pieces, each rank writes its own, so that each needs the whole mesh or its share")
	}
	if err := rt.Agree(err); err != nil {
		return nil, nil, err
	}
	p, here = &rankPiece{rt: rt, of: m}, &mesh.Mesh{Dim: m.Dim}
	if err := p.alike(c); err != nil {
		return nil, nil, err
	}
	if err := p.takeCells(here); err != nil {
		return nil, nil, err
	}
	if p.nodes, err = p.newRows("nodes", m.Nodes(), p.share.Nodes); err != nil {
		return nil, nil, err
	}
	if c.groups {
		p.takeGroups(here)
	}
	if err := rt.Agree(p.declared(here)); err != nil {
		return nil, nil, err
	}
	for _, o := range c.parts {
		of, err := p.newPart(o)
		if err != nil {
			return nil, nil, err
		}
		p.parts = append(p.parts, of)
	}
	if err := p.takeNodes(here); err != nil {
		return nil, nil, err
	}
	here.Points, err = p.points()
	return p, here, err
}

// takeCells says which cells the piece has, of each kind. It is collective.
func (p *rankPiece) takeCells(here *mesh.Mesh) (err error) {
	var before int64 // cells of the blocks before
	var cells []int64
	for i, b := range p.of.CellBlocks() {
		kind, err := p.newRows(b.Kind.String()+"s", b.Len(), p.share.Kinds[i])
		if err != nil {
			return err
		}
		own := numbered(kind.slab())
		for _, n := range own {
			cells = append(cells, before+n)
		}
		before += kind.all()
		if err := kind.bring(own); err != nil {
			return err
		}
		p.kinds = append(p.kinds, kind)
		here.Blocks = append(here.Blocks, p.slabOf(&b))
	}
	if p.cells, err = p.newRows("cells", p.of.Cells(), p.share.Cells); err != nil {
		return err
	}
	if p.shares && !p.read() {
		cells = numbered(p.cells.slab())
	}
	return p.cells.bring(cells)
}

// slabOf returns this rank's part of a block: all of a share's.
func (p *rankPiece) slabOf(b *mesh.Block) mesh.Block {
	nodes := b.Nodes
	if !p.shares {
		from, to := p.part(b.Len())
		nodes = nodes[from*b.Kind.Nodes() : to*b.Kind.Nodes()]
	}
	return mesh.Block{Kind: b.Kind, Nodes: slices.Clone(nodes)}
}

// part returns which of n things, which each rank has, are in this rank's piece.
func (p *rankPiece) part(n int) (from, to int) {
	rank, ranks := p.rt.Rank(), p.rt.Ranks()
	return int(int64(n) * int64(rank) / int64(ranks)), int(int64(n) * int64(rank+1) / int64(ranks))
}

// takeGroups gives the piece the groups, with the elements that it has of them: of blocks of lower dimension, it has a part
// as of the cells.
func (p *rankPiece) takeGroups(here *mesh.Mesh) {
	for i := len(here.Blocks); i < len(p.of.Blocks); i++ {
		here.Blocks = append(here.Blocks, p.slabOf(&p.of.Blocks[i]))
	}
	for _, g := range p.of.Groups {
		members := make([]mesh.Members, len(g.Members))
		for i, of := range g.Members {
			members[i] = mesh.Members{Block: of.Block, Elements: slices.Clone(of.Elements)}
			if p.shares {
				continue
			}
			n := p.of.Nodes()
			if of.Block >= 0 {
				n = p.of.Blocks[of.Block].Len()
			}
			from, to := p.part(n)
			first, _ := slices.BinarySearch(of.Elements, int32(from))
			last, _ := slices.BinarySearch(of.Elements, int32(to))
			members[i].Elements = members[i].Elements[first:last]
			if of.Block >= 0 {
				for k := range members[i].Elements {
					members[i].Elements[k] -= int32(from)
				}
			}
		}
		here.Groups = append(here.Groups, mesh.Group{Name: g.Name, Tag: g.Tag, Dim: g.Dim, Members: members})
	}
}

// eachNodes calls f with the nodes of all that the piece has: of elements, of groups of nodes, and of parts.
func (p *rankPiece) eachNodes(here *mesh.Mesh, f func(nodes []int32)) {
	for _, b := range here.Blocks {
		f(b.Nodes)
	}
	for _, g := range here.Groups {
		for _, m := range g.Members {
			if m.Block < 0 {
				f(m.Elements)
			}
		}
	}
	for _, of := range p.parts {
		f(of.nodes)
	}
}

// declared replaces the nodes of a share that has been read by their declared numbers. The error is of nodes that are none.
func (p *rankPiece) declared(here *mesh.Mesh) (err error) {
	n := p.nodes.all()
	if p.read() {
		n = int64(p.of.Nodes())
	}
	p.eachNodes(here, func(nodes []int32) {
		for i, node := range nodes {
			if err == nil && (node < 0 || int64(node) >= n) {
				err = fmt.Errorf("cells have nodes from %d to %d, of %d", slices.Min(nodes), slices.Max(nodes), n)
			}
			if err == nil && p.read() {
				nodes[i] = p.share.Numbers[node]
			}
		}
	})
	return err
}

// takeNodes says which nodes the piece has, and replaces declared numbers by those among them. It is collective.
func (p *rankPiece) takeNodes(here *mesh.Mesh) error {
	used := []int32{}
	p.eachNodes(here, func(nodes []int32) { used = append(used, nodes...) })
	slices.Sort(used)
	used = slices.Compact(used)
	p.eachNodes(here, func(nodes []int32) {
		for i, n := range nodes {
			at, _ := slices.BinarySearch(used, n)
			nodes[i] = int32(at)
		}
	})
	numbers := make([]int64, len(used))
	var err error
	for i, n := range used {
		numbers[i] = int64(n)
		if p.read() {
			at, is := slices.BinarySearch(p.share.Numbers, n)
			if !is && err == nil {
				err = fmt.Errorf("a part has node %d, which no element of the rank's share of the mesh has", n)
			}
			used[i] = int32(at)
		}
	}
	if err := p.rt.Agree(err); err != nil {
		return err
	}
	p.nodes.places = used
	return p.nodes.bring(numbers)
}

// piecePart is what a piece has of a part: the elements of this rank's slab of the set.
type piecePart struct {
	elements []int32 // in the slab
	nodes    []int32
}

// newPart returns what the piece has of a part, with the declared numbers of nodes. It is collective.
func (p *rankPiece) newPart(o partOption) (of piecePart, err error) {
	if err := p.rt.Agree(o.checkPiece(p.rt, p.nodes.all())); err != nil {
		return of, err
	}
	set, m := (*entity.Set)(o.set()), (*entity.Map)(o.nodes)
	numbers := numbered(slabOf(set))
	if subset, _ := o.over.(*op2.Subset); subset != nil {
		if numbers, err = (*entity.Subset)(subset).InSlab(); err != nil {
			return of, err
		}
	}
	rows, err := set.ToSlab(8*m.Arity(), store.Bytes(m.TargetNumbers()))
	if err != nil {
		return of, err
	}
	targets, first := store.As[int64](rows), set.Slabs()[p.rt.Rank()]
	for _, n := range numbers {
		of.elements = append(of.elements, int32(n-first))
		for _, node := range targets[int(n-first)*m.Arity():][:m.Arity()] {
			if node < 0 {
				err = fmt.Errorf("Part %s: some values of map %s are masked", o.over.Name(), m.Name())
			}
			of.nodes = append(of.nodes, int32(node))
		}
	}
	if of.elements == nil {
		of.elements = []int32{}
	}
	return of, p.rt.Agree(err)
}

// slabOf returns which elements of a set are in this rank's slab.
func slabOf(s *entity.Set) (from, to int64) {
	slabs, rank := s.Slabs(), s.Runtime().Rank()
	return slabs[rank], slabs[rank+1]
}

// ofSet returns rows of the elements of a set in this rank's slab, which are those of its parts.
func (p *rankPiece) ofSet(s *entity.Set) *rows {
	if p == nil {
		return nil
	}
	from, to := slabOf(s)
	return &rows{rt: p.rt, what: s.Name(), slabs: s.Slabs(), count: int(to - from)}
}

// numbered returns the numbers from one up to another.
func numbered(from, to int64) []int64 {
	n := make([]int64, to-from)
	for i := range n {
		n[i] = from + int64(i)
	}
	return n
}

// alike finds out what the ranks have of the mesh. It is an error if these do not belong together. It is collective.
func (p *rankPiece) alike(c *config) error {
	blocks, invalid := p.of.CellBlocks(), p.of.Valid()
	shape, sizes := []int{p.of.Dim}, []int{p.of.Nodes()}
	for _, b := range blocks {
		shape, sizes = append(shape, int(b.Kind)), append(sizes, b.Len())
	}
	var err error
	p.share = new(partial.MeshError)
	if !errors.As(invalid, &p.share) {
		p.share.Kinds = make([][]int64, len(blocks))
	} else if shape = append(shape, -1); p.share.Runtime != p.rt {
		err = fmt.Errorf("the mesh is a share that ReadShare has read for another runtime")
	}
	if err := p.rt.Agree(err); err != nil {
		return err
	}
	if same, err := p.same(shape); err != nil {
		return err
	} else if !same {
		return fmt.Errorf("the meshes of ranks have different dimensions or kinds of cells, or only some are shares")
	}
	if c.groups {
		if same, err := p.same(p.groups()); err != nil || !same {
			return cmp.Or(err, fmt.Errorf("the meshes of ranks have different groups, or kinds of elements"))
		}
	}
	same, err := p.same(sizes)
	if err != nil {
		return err
	}
	p.shares, err = p.rt.AnyRank(!same || invalid != nil) // a declared share has numbers of the whole mesh, out of range
	return err
}

// groups describes the kinds of elements and the groups.
func (p *rankPiece) groups() (text []string) {
	for _, b := range p.of.Blocks {
		text = append(text, b.Kind.String())
	}
	for _, g := range p.of.Groups {
		text = append(text, fmt.Sprintf("%q %d %d", g.Name, g.Tag, g.Dim))
	}
	return text
}

// same reports whether all ranks have the same description. It is collective.
func (p *rankPiece) same(numbers any) (bool, error) {
	sum := fnv.New64()
	fmt.Fprint(sum, numbers)
	sums, err := comm.AllGather(p.rt.Comm(), int64(sum.Sum64()))
	if err != nil {
		return false, p.rt.Broken(err)
	}
	return slices.Min(sums) == slices.Max(sums), nil
}

// read reports whether the mesh is a share that ReadShare has read.
func (p *rankPiece) read() bool { return p.share.Runtime != nil }

// newRows returns rows without those of the piece. Here has the count of the program's mesh, and slabs are those of a mesh that
// has been read in shares. It is collective.
func (p *rankPiece) newRows(what string, here int, slabs []int64) (r *rows, err error) {
	r = &rows{rt: p.rt, what: what, whole: !p.shares, local: p.read(), given: here, slabs: slabs}
	switch {
	case r.local:
	case p.shares:
		if r.slabs, err = p.rt.Offsets(here); err != nil {
			return nil, err
		}
	default:
		for rank := range p.rt.Ranks() + 1 {
			r.slabs = append(r.slabs, int64(here)*int64(rank)/int64(p.rt.Ranks()))
		}
	}
	return r, nil
}

// points returns the coordinates of the piece's nodes. It is collective.
func (p *rankPiece) points() ([]float64, error) {
	points, _, err := ofSlice(p.nodes, p.of.Points)
	return points, err
}

// rows returns the rows that a source of a field has a value for each of; without a piece, nil.
func (p *rankPiece) rows(f *Field, source int) *rows {
	switch {
	case p == nil:
		return nil
	case f.onNodes:
		return p.nodes
	case len(f.sources) == 1:
		return p.cells
	}
	return p.kinds[source]
}
