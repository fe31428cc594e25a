package vtk

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/internal/wholefile"
	"github.com/go-op2/op2/mesh"
)

// writer writes results on a mesh.
type writer struct {
	mesh    *mesh.Mesh      // that of the program, which may move its points, or of a piece
	piece   *rankPiece      // that this rank writes; nil: the whole mesh
	rt      *entity.Runtime // of the ranks that write pieces; nil: none do
	ranks   comm.Comm       // these ranks; without pieces, this one alone
	points  []float64       // that the blocks have
	single  bool
	format  vtu.Format
	blocks  []*block  // the cells, and the parts
	written *vtu.File // the last one
}

// prepare copies the values of fields.
func (w *writer) prepare(fields []Field) (*step, error) {
	s := new(step)
	points := w.mesh.Points
	if w.piece != nil {
		var err error
		if points, err = w.piece.points(); err != nil {
			return nil, err
		}
	}
	for i, f := range fields {
		for _, other := range fields[:i] {
			if other.name == f.name && other.onNodes == f.onNodes && other.points == f.points {
				hint := ""
				if f.part != "" && !f.unnamed {
					hint = fmt.Sprintf("\n  hint: the name \"\" makes names of a dat's name and the part that Of chooses, such as q.%s", f.part)
				}
				return nil, fmt.Errorf("vtk: two fields are named %q%s", f.name, hint)
			}
		}
		p, err := w.prepareOne(f)
		if err != nil {
			return nil, fmt.Errorf("vtk: field %q: %w", f.name, problem.Bare(err))
		}
		if f.points {
			points = p.values.values.([]float64)
			continue
		}
		s.fields = append(s.fields, p)
	}
	var err error
	if len(points) != len(w.points) {
		err = fmt.Errorf("vtk: found %d coordinates, expected the %d of the mesh that the series began with\n  hint: nodes may move; for another mesh, start another series", len(points), len(w.points))
	}
	if err := w.agree(err); err != nil { // of one rank, perhaps
		return nil, err
	}
	moved := !slices.Equal(points, w.points)
	if w.piece != nil {
		if moved, err = w.piece.rt.AnyRank(moved); err != nil {
			return nil, err
		}
	}
	if moved {
		s.points = slices.Clone(points)
	}
	return s, nil
}

// dim returns the number of coordinates of a node.
func (w *writer) dim() int { return max(w.mesh.Dim, 1) }

// move encodes the points of all blocks again.
func (w *writer) move(points []float64) {
	for _, b := range w.blocks {
		b.geometry.Points = w.format.Points(w.dim(), w.pointsOf(b, points))
	}
	w.points = points
}

func (w *writer) prepareOne(f Field) (prepared, error) {
	p := prepared{Field: f}
	if f.name == "" && f.invalid == nil {
		f.invalid = fmt.Errorf("a field needs a name")
	}
	if err := w.agree(f.invalid); err != nil {
		return p, err
	}
	// The numbers of elements of the sources, and the words for these elements.
	var counts []int
	var what []string
	blocks := w.mesh.CellBlocks()
	switch {
	case f.onNodes:
		counts, what = []int{w.mesh.Nodes()}, []string{"nodes"}
	case len(f.sources) == 1 && w.claims(f.sources[0].set):
		p.on = f.sources[0].set
		counts, what = []int{p.on.Size()}, []string{p.on.Name()}
		if w.piece != nil {
			p.rows = w.piece.ofSet((*entity.Set)(p.on))
			counts[0] = p.rows.count
		}
	case len(f.sources) == 1:
		counts, what = []int{w.mesh.Cells()}, []string{"cells"}
	default:
		for _, b := range blocks {
			counts, what = append(counts, b.Len()), append(what, b.Kind.String()+"s")
		}
	}
	if len(f.sources) != len(counts) {
		return p, fmt.Errorf("found values for %d kinds of cells, expected them for %d: %s", len(f.sources), len(counts), strings.Join(what, ", "))
	}
	for i, source := range f.sources {
		values, names, err := source.values(f.part, counts[i], cmp.Or(p.rows, w.piece.rows(&f, i)))
		if err != nil {
			return p, fmt.Errorf("%s: %w", source.what, problem.Bare(err))
		}
		if values.len() != counts[i] {
			return p, fmt.Errorf("%s has values for %d, expected them for the %d %s of the mesh", source.what, values.len(), counts[i], what[i])
		}
		same := true
		if i == 0 {
			p.values = values
			if len(p.names) == 0 && !p.tensor {
				p.names = names
			}
		} else if p.values, same = p.values.join(values); !same {
			return p, fmt.Errorf("%s: expected values of the type and dim of %s", source.what, f.sources[0].what)
		}
	}
	var err error
	p.width, p.places, err = p.arrange(p.values.dim)
	return p, err
}

// claims reports whether a block of lower dimension has the dats on a set.
func (w *writer) claims(set *op2.Set) bool {
	return set != nil && slices.ContainsFunc(w.blocks, func(b *block) bool { return b.set == set })
}

// write writes the files of a step: path.vtu or, with parts, path.vtm and the files it lists. It returns the name of
// the first.
func (w *writer) write(path string, s *step, fields ...vtu.Array) (string, error) {
	base := filepath.Base(path)
	if s.points != nil {
		w.move(s.points)
	}
	if len(w.blocks) == 1 {
		return base + ".vtu", w.writeBlock(path+".vtu", w.blocks[0], s, fields)
	}
	var parts []vtu.Part
	for i, b := range w.blocks {
		suffix := fmt.Sprintf("_%d.vtu", i)
		if err := w.writeBlock(path+suffix, b, s, fields); err != nil {
			return "", err
		}
		parts = append(parts, vtu.Part{Name: b.name, File: base + suffix})
	}
	return base + ".vtm", wholefile.Write(path+".vtm", func(out io.Writer) error { return vtu.WriteBlocks(out, parts) })
}

// writeBlock writes the file of a block.
func (w *writer) writeBlock(path string, b *block, s *step, fields []vtu.Array) error {
	file := *b.geometry
	for _, p := range s.fields {
		values, found := b.take(&p)
		if !found {
			continue
		}
		a := vtu.Array{Name: p.name, Components: p.width, Names: p.names, Values: values.array(p.width, p.places, w.single)}
		e := w.format.Encode(a)
		if p.onNodes {
			file.PointData = append(file.PointData, e)
		} else {
			file.CellData = append(file.CellData, e)
		}
	}
	for _, a := range fields {
		file.FieldData = append(file.FieldData, w.format.Encode(a))
	}
	w.written = &file
	return wholefile.Write(path, func(out io.Writer) error { return w.format.Write(out, &file) })
}

// pointsOf returns the coordinates of the nodes of a block, given those of all nodes.
func (w *writer) pointsOf(b *block, points []float64) any {
	if b.nodes != nil {
		points = tuples{w.dim(), points}.rows(b.nodes).values.([]float64)
	}
	if w.single {
		return floats(points)
	}
	return points
}

// together does what the ranks that write pieces do together; without pieces, what rank 0 does.
func (w *writer) together(do func() error) error {
	if w.rt == nil {
		return do()
	}
	return together(w.rt, do)
}

// agree returns the error of all ranks that write pieces.
func (w *writer) agree(err error) error { return entity.Agree(w.ranks, err) }

// together does what all ranks do, in the runtime, and fails on all if it does on any.
func together(rt *entity.Runtime, do func() error) error {
	return rt.DoTogether((*entity.Runtime).EnterData, do)
}
