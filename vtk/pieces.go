package vtk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/internal/wholefile"
	"github.com/go-op2/op2/mesh"
)

// pieceExtension is that of files that list the pieces of ranks.
const pieceExtension = ".pvtu"

// piece is the part of a mesh that this rank writes: of each kind of cells a contiguous part in declared order, so that
// each cell is in exactly one piece, and their nodes.
type piece struct {
	rt    *entity.Runtime
	of    *mesh.Mesh // the program's: the whole mesh on each rank, or its share
	nodes *rows
	cells *rows
	kinds []*rows // the cells of each block
}

// rows brings rows of nodes or cells to this rank's piece. They come from slabs, as files in HDF5 have them.
type rows struct {
	rt      *entity.Runtime
	what    string
	whole   bool    // a slice of the program has the rows of the whole mesh; otherwise this rank's slab
	slabs   []int64 // rank r has the rows from slabs[r] up to slabs[r+1]
	fetcher *halo.Fetcher
	count   int
}

// newPiece returns this rank's piece of a mesh, and the mesh that it consists of. It is collective.
func newPiece(rt *entity.Runtime, m *mesh.Mesh) (p *piece, here *mesh.Mesh, err error) {
	if m == nil {
		err = fmt.Errorf("there is no mesh\n  hint: in pieces, each rank writes its own, so that each needs the whole mesh or its share")
	}
	if err := rt.Agree(err); err != nil {
		return nil, nil, err
	}
	blocks := m.CellBlocks()
	shape, err := comm.AllGather(rt.Comm(), int64(4*len(blocks)+m.Dim))
	if err != nil {
		return nil, nil, rt.Broken(err)
	}
	if slices.Min(shape) != slices.Max(shape) {
		return nil, nil, fmt.Errorf("the meshes of ranks have different dimensions or kinds of cells")
	}
	shares, err := rt.AnyRank(m.Valid() != nil) // whose nodes have the numbers of the whole mesh
	if err != nil {
		return nil, nil, err
	}
	p, here = &piece{rt: rt, of: m}, &mesh.Mesh{Dim: m.Dim}
	var before int64 // cells of the blocks before
	var cells []int64
	var used []int32
	for _, b := range blocks {
		kind, err := newRows(rt, b.Kind.String()+"s", !shares, b.Len())
		if err != nil {
			return nil, nil, err
		}
		from, to := kind.slab()
		own, nodes := numbered(from, to), b.Nodes
		if !shares {
			nodes = nodes[int(from)*b.Kind.Nodes() : int(to)*b.Kind.Nodes()]
		}
		for _, n := range own {
			cells = append(cells, before+n)
		}
		before += int64(b.Len())
		if err := kind.bring(own); err != nil {
			return nil, nil, err
		}
		p.kinds = append(p.kinds, kind)
		here.Blocks = append(here.Blocks, mesh.Block{Kind: b.Kind, Nodes: slices.Clone(nodes)})
		used = append(used, nodes...)
	}
	if p.cells, err = newRows(rt, "cells", !shares, m.Cells()); err != nil {
		return nil, nil, err
	}
	if shares {
		from, to := p.cells.slab()
		cells = numbered(from, to)
	}
	if err := p.cells.bring(cells); err != nil {
		return nil, nil, err
	}
	if p.nodes, err = newRows(rt, "nodes", !shares, m.Nodes()); err != nil {
		return nil, nil, err
	}
	slices.Sort(used)
	used = slices.Compact(used)
	if n := p.nodes.slabs[rt.Ranks()]; len(used) > 0 && (used[0] < 0 || int64(used[len(used)-1]) >= n) {
		err = fmt.Errorf("cells have nodes from %d to %d, of %d", used[0], used[len(used)-1], n)
	}
	if err := rt.Agree(err); err != nil {
		return nil, nil, err
	}
	numbers := make([]int64, len(used))
	for i, n := range used {
		numbers[i] = int64(n)
	}
	if err := p.nodes.bring(numbers); err != nil {
		return nil, nil, err
	}
	for _, b := range here.Blocks {
		for i, n := range b.Nodes {
			at, _ := slices.BinarySearch(used, n)
			b.Nodes[i] = int32(at)
		}
	}
	here.Points, err = p.points()
	return p, here, err
}

// numbered returns the numbers from one up to another.
func numbered(from, to int64) []int64 {
	n := make([]int64, to-from)
	for i := range n {
		n[i] = from + int64(i)
	}
	return n
}

// newRows returns rows without those of the piece. Here has the count of the program's mesh. It is collective.
func newRows(rt *entity.Runtime, what string, whole bool, here int) (*rows, error) {
	r := &rows{rt: rt, what: what, whole: whole}
	if !whole {
		var err error
		if r.slabs, err = halo.Offsets(rt.Comm(), int64(here)); err != nil {
			return nil, rt.Broken(err)
		}
		return r, nil
	}
	for rank := range rt.Ranks() + 1 {
		r.slabs = append(r.slabs, int64(here)*int64(rank)/int64(rt.Ranks()))
	}
	return r, nil
}

// bring says which rows the piece has. It is collective.
func (r *rows) bring(numbers []int64) (err error) {
	r.count = len(numbers)
	if r.fetcher, err = halo.NewFetcher(r.rt.Comm(), halo.Shares(r.slabs), nil, numbers); err != nil {
		return r.rt.Broken(err)
	}
	return nil
}

// slab returns which rows this rank has.
func (r *rows) slab() (from, to int64) { return r.slabs[r.rt.Rank()], r.slabs[r.rt.Rank()+1] }

// given returns the number of rows of a slice of the program.
func (r *rows) given() int {
	if r.whole {
		return int(r.slabs[r.rt.Ranks()])
	}
	from, to := r.slab()
	return int(to - from)
}

// fetch returns the rows of the piece, of so many bytes each, given those of the slab. It is collective.
func (r *rows) fetch(slab []byte, size int) ([]byte, error) {
	result := store.Room(r.count * size)
	if err := r.fetcher.Fetch(result, slab, size); err != nil {
		return nil, r.rt.Broken(err)
	}
	return result, nil
}

// ofDat returns the rows of a dat. It is collective.
func (r *rows) ofDat(d *entity.Data) ([]byte, error) {
	set, size := d.Set(), d.Dim()*d.Value().Size
	var values []byte
	var err error
	switch {
	case set.Runtime() != r.rt:
		err = fmt.Errorf("the dat is of %s, the series of %s", set.Runtime().Besides(r.rt), r.rt.Besides(set.Runtime()))
	case !slices.Equal(set.Slabs(), r.slabs):
		err = fmt.Errorf("it has values for %d, expected them for the %d %s of the mesh, in the shares of the ranks", set.Whole(), r.slabs[r.rt.Ranks()], r.what)
	default:
		values, err = d.Show()
	}
	if err := r.rt.Agree(err); err != nil {
		return nil, err
	}
	slab, err := set.ToSlab(size, values)
	if err != nil {
		return nil, err
	}
	return r.fetch(slab, size)
}

// ofSlice returns the rows of a slice of the program, and how many values each has. It is collective.
func ofSlice[T any](r *rows, values []T) (here []T, width int, err error) {
	given := r.given()
	dim := []int64{int64(len(values) / max(given, 1))}
	if err := comm.Max(r.rt.Comm(), dim); err != nil {
		return nil, 0, r.rt.Broken(err)
	}
	width = max(int(dim[0]), 1)
	if len(values) != given*width {
		err = fmt.Errorf("%d values are not as many for each of %d", len(values), given)
	}
	if err := r.rt.Agree(err); err != nil {
		return nil, 0, err
	}
	if from, to := r.slab(); r.whole {
		values = values[int(from)*width : int(to)*width]
	}
	result, err := r.fetch(store.Bytes(values), width*int(reflect.TypeFor[T]().Size()))
	return store.As[T](result), width, err
}

// points returns the coordinates of the piece's nodes. It is collective.
func (p *piece) points() ([]float64, error) {
	points, _, err := ofSlice(p.nodes, p.of.Points)
	return points, err
}

// rows returns the rows that a source of a field has a value for each of; without a piece, nil.
func (p *piece) rows(f *Field, source int) *rows {
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

// writerOn returns a writer: of this rank's piece if the file is one in pieces, or in HDF5 and each rank has a mesh;
// otherwise of the whole mesh on rank 0, and nil on others. It is collective then.
func writerOn(runtime *op2.Runtime, m *mesh.Mesh, c *config, pieces, hdf bool) (w *writer, err error) {
	rt := (*entity.Runtime)(runtime)
	if runtime.Ranks() > 1 && (pieces || hdf) {
		err = together(rt, func() error {
			if lacking, err := rt.AnyRank(m == nil); err != nil || lacking && !pieces {
				return err
			}
			p, here, err := newPiece(rt, m)
			if err != nil {
				return fmt.Errorf("vtk: %w", err)
			}
			if w, err = newWriter(here, c); w != nil {
				w.piece = p
			}
			return err
		})
		if w != nil || err != nil {
			return w, err
		}
	}
	if runtime.Rank() != 0 {
		return nil, nil
	}
	return newWriter(m, c)
}

// together does what all ranks do, in the runtime, and fails on all if it does on any.
func together(rt *entity.Runtime, do func() error) (err error) {
	if err := rt.EnterData(); err != nil {
		return err
	}
	defer rt.LeaveTogether(&err)
	return do()
}

// together does what the ranks that write pieces do together; without pieces, what rank 0 does.
func (w *writer) together(do func() error) error {
	if w.piece == nil {
		return do()
	}
	return together(w.piece.rt, do)
}

// agree returns the error of all ranks that write pieces.
func (w *writer) agree(err error) error {
	if w.piece == nil {
		return err
	}
	return w.piece.rt.Agree(err)
}

// rank returns the number of the piece.
func (w *writer) rank() int {
	if w.piece == nil {
		return 0
	}
	return w.piece.rt.Rank()
}

// ranks returns the number of pieces.
func (w *writer) ranks() int {
	if w.piece == nil {
		return 1
	}
	return w.piece.rt.Ranks()
}

// sum replaces a number by that of all pieces. It is collective.
func (w *writer) sum(n []int64) error {
	if w.piece == nil {
		return nil
	}
	return comm.Sum(w.piece.rt.Comm(), n)
}

// inTurn calls take on rank 0 with the rows of all pieces, of so many bytes each, in the order of ranks and in parts of
// bounded size, and with the number of rows before. It is collective.
func (w *writer) inTurn(own []byte, size int, take func(first uint64, rows []byte) error) error {
	if w.piece == nil {
		return take(0, own)
	}
	const most = 64 << 20
	c, step := w.piece.rt.Comm(), max(most/size, 1)*size
	lengths, err := comm.AllGather(c, int64(len(own)))
	if err != nil {
		return err
	}
	var first uint64
	var room []byte
	for rank, length := range lengths {
		for from := 0; from < int(length); from += step {
			to := min(from+step, int(length))
			switch c.Rank() {
			case 0:
				part := own[min(from, len(own)):min(to, len(own))]
				if rank != 0 {
					room = slices.Grow(room[:0], to-from)[:to-from]
					part = room
					err = comm.Once(c, nil, []comm.Message{{Rank: rank, Tag: comm.MaxTag, Data: part}})
				}
				if err == nil {
					err = take(first, part)
				}
				first += uint64((to - from) / size)
			case rank:
				err = comm.Once(c, []comm.Message{{Rank: 0, Tag: comm.MaxTag, Data: own[from:to]}}, nil)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// pieceName returns the name of a rank's piece, given the path without extension of the file that lists them.
func pieceName(path string, rank int) string { return fmt.Sprintf("%s_%d.vtu", path, rank) }

// beginPieces removes a file that lists pieces, before these are replaced: it appears again when all are complete.
func beginPieces(path string) error {
	if err := os.Remove(path + pieceExtension); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writePiece writes this rank's piece of a step.
func (w *writer) writePiece(path string, s *step, fields ...vtu.Array) error {
	if s.points != nil {
		w.move(s.points)
	}
	return w.writeBlock(pieceName(path, w.rank()), w.blocks[0], s, fields)
}

// writePieces writes the file that lists the pieces of a step.
func (w *writer) writePieces(path string) error {
	var files []string
	for rank := range w.ranks() {
		files = append(files, pieceName(filepath.Base(path), rank))
	}
	return wholefile.Write(path+pieceExtension, func(out io.Writer) error { return vtu.WritePieces(out, w.written, files) })
}
