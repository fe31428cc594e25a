package mesh

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
)

// gmshWriter writes a mesh. The first error of to stays in err.
type gmshWriter struct {
	mesh *Mesh
	tags []int // physical tags of the groups
	runs []gmshRun

	to    io.Writer
	text  bool
	order binary.AppendByteOrder
	out   []byte // not yet written
	err   error
}

// gmshRun is a run of consecutive elements of one block, or of nodes, that belong to one class: in Gmsh's model they
// are on one entity.
type gmshRun struct {
	gmshKey  // the entity
	kind     Kind
	groups   []int
	first, n int32
	nodes    []int32 // of the block; nil: the elements are nodes
}

// gather finds the runs, those of lower dimension first. Nodes without a group are in none.
func (w *gmshWriter) gather() {
	m, c := w.mesh, w.mesh.memberships()
	w.addRuns(c, Point, c.nodes, nil)
	for b := len(m.Blocks) - 1; b >= 0; b-- {
		w.addRuns(c, m.Blocks[b].Kind, c.block[b], m.Blocks[b].Nodes)
	}
}

// addRuns adds the runs of elements of a kind, given the class of each of them.
func (w *gmshWriter) addRuns(c *memberships, kind Kind, of, nodes []int32) {
	for first := 0; first < len(of); {
		end := first + 1
		for end < len(of) && of[end] == of[first] {
			end++
		}
		if groups := c.groups[kind.Dim()][of[first]]; nodes != nil || len(groups) > 0 {
			w.runs = append(w.runs, gmshRun{gmshKey{kind.Dim(), of[first] + 1}, kind, groups, int32(first), int32(end - first), nodes})
		}
		first = end
	}
}

// element returns element i of a run, as its nodes in Gmsh's order. They are valid until the next call.
func (r *gmshRun) element(i int32, theirs *[27]int32) []int32 {
	if r.nodes == nil {
		theirs[0] = r.first + i
		return theirs[:1]
	}
	width := r.kind.Nodes()
	at := int(r.first+i) * width
	copy(theirs[:], r.nodes[at:at+width])
	for k, place := range gmshOrder[r.kind] {
		theirs[place] = r.nodes[at+k]
	}
	return theirs[:width]
}

// head writes $MeshFormat and $PhysicalNames.
func (w *gmshWriter) head(version string) {
	w.string("$MeshFormat\n" + version)
	if w.text {
		w.string(" 0 8\n")
	} else {
		w.string(" 1 8\n")
		w.integer(1)
		w.string("\n")
	}
	w.string("$EndMeshFormat\n")
	var lines []byte
	named := 0
	for i, g := range w.mesh.Groups {
		if g.Name != "" {
			lines = fmt.Appendf(lines, "%d %d \"%s\"\n", g.Dim, w.tags[i], g.Name)
			named++
		}
	}
	if named > 0 {
		w.string(fmt.Sprintf("$PhysicalNames\n%d\n%s$EndPhysicalNames\n", named, lines))
	}
}

// section writes a section. In a binary file, a line ends before its end.
func (w *gmshWriter) section(name string, content func()) {
	w.string("$" + name + "\n")
	content()
	if !w.text {
		w.string("\n")
	}
	w.string("$End" + name + "\n")
}

func (w *gmshWriter) string(s string) {
	w.out = append(w.out, s...)
}

// integer writes an integer of 32 bits.
func (w *gmshWriter) integer(v int32) {
	if w.text {
		w.out = append(strconv.AppendInt(w.out, int64(v), 10), ' ')
	} else {
		w.out = w.order.AppendUint32(w.out, uint32(v))
	}
}

// size writes a count, or a tag of a node or an element.
func (w *gmshWriter) size(v int) {
	if w.text {
		w.out = append(strconv.AppendInt(w.out, int64(v), 10), ' ')
	} else {
		w.out = w.order.AppendUint64(w.out, uint64(v))
	}
}

// number writes a floating-point number, in a text by its shortest exact form.
func (w *gmshWriter) number(x float64) {
	if w.text {
		w.out = append(strconv.AppendFloat(w.out, x, 'g', -1, 64), ' ')
	} else {
		w.out = w.order.AppendUint64(w.out, math.Float64bits(x))
	}
}

// point writes the three coordinates of a node.
func (w *gmshWriter) point(node int32) {
	p := w.mesh.Point(node)
	w.number(p[0])
	w.number(p[1])
	if len(p) == 3 {
		w.number(p[2])
	} else {
		w.number(0)
	}
}

// endLine ends a line of a text, in place of the last space.
func (w *gmshWriter) endLine() {
	if w.text {
		w.out[len(w.out)-1] = '\n'
	}
	if len(w.out) >= 256<<10 {
		w.flush()
	}
}

// flush writes the buffer.
func (w *gmshWriter) flush() {
	if w.err == nil {
		_, w.err = w.to.Write(w.out)
	}
	w.out = w.out[:0]
}

// memberships divides elements and nodes into classes, each of those that belong to the same groups.
type memberships struct {
	groups [4][][]int // of each dimension and class, the indices in [Mesh.Groups]; the first class has none
	block  [][]int32  // for each block, the class of each element
	nodes  []int32    // the class of each node
}

// memberships returns the classes of a valid mesh.
func (m *Mesh) memberships() *memberships {
	c := &memberships{block: make([][]int32, len(m.Blocks)), nodes: make([]int32, m.Nodes())}
	for b := range m.Blocks {
		c.block[b] = make([]int32, m.Blocks[b].Len())
	}
	for dim := range c.groups {
		c.groups[dim] = [][]int{nil}
	}
	for i, g := range m.Groups {
		c.divide(i, g)
	}
	return c
}

// divide divides each class into members of a group and others.
func (c *memberships) divide(index int, g Group) {
	list := &c.groups[g.Dim]
	within := map[int32]int32{} // by class: the new class of its members in the group
	first := int32(len(*list))
	for _, members := range g.Members {
		of := c.nodes
		if members.Block >= 0 {
			of = c.block[members.Block]
		}
		for _, e := range members.Elements {
			old := of[e]
			if old >= first {
				continue // an element that is in the group twice
			}
			divided, found := within[old]
			if !found {
				divided = int32(len(*list))
				within[old] = divided
				groups := (*list)[old]
				*list = append(*list, append(groups[:len(groups):len(groups)], index))
			}
			of[e] = divided
		}
	}
}
