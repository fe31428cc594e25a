package mesh

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-op2/op2/internal/vtu"
)

// vtuKinds gives the kinds of the types of cells in VTK's files that have one and the same order of nodes.
var vtuKinds = map[uint8]Kind{
	vtu.Vertex: Point, vtu.Line: Line, vtu.Triangle: Triangle, vtu.Quad: Quadrilateral,
	vtu.Tetra: Tetrahedron, vtu.Hexahedron: Hexahedron, vtu.Wedge: Prism, vtu.Pyramid: Pyramid,
	vtu.QuadraticEdge: Line3, vtu.QuadraticTriangle: Triangle6, vtu.QuadraticQuad: Quadrilateral8,
	vtu.BiquadraticQuad: Quadrilateral9, vtu.QuadraticTetra: Tetrahedron10, vtu.QuadraticHexahedron: Hexahedron20,
	vtu.TriquadraticHexahedron: Hexahedron27, vtu.QuadraticWedge: Prism15, vtu.BiquadraticWedge: Prism18,
	vtu.QuadraticPyramid: Pyramid13, vtu.LagrangePyramid: Pyramid14,
}

// vtuTypes is the inverse of vtuKinds, and has polygons and polyhedra.
var vtuTypes = func() (types [kinds]uint8) {
	for t, kind := range vtuKinds {
		types[kind] = t
	}
	for k := pentagon; k < kinds; k++ {
		types[k] = vtu.Polygon
	}
	types[Polyhedron] = vtu.Polyhedron
	return types
}()

// VTKType returns the number of the kind among VTK's types of cells, or 0 for an unknown kind.
func (k Kind) VTKType() uint8 {
	if k >= kinds {
		return 0
	}
	return vtuTypes[k]
}

// In VTU files, groups are arrays of data whose names begin with groupPrefix: the tag where a cell or a node is a
// member, -1 for a tag of 0, and 0 elsewhere. The names of groups without a name end in # and the tag.
const (
	groupPrefix   = "group:"
	physicalArray = "gmsh:physical" // meshio's: the tag of a group without a name, for each cell
)

// groupsToVTU returns the groups of the mesh as arrays of its nodes and of the elements of all blocks.
func (m *Mesh) groupsToVTU() (nodes, cells []vtu.Array, err error) {
	first := make([]int, len(m.Blocks)+1) // of the elements of each block among all
	for b := range m.Blocks {
		first[b+1] = first[b] + m.Blocks[b].Len()
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		if g.Tag < 0 || g.Tag > math.MaxInt32 {
			return nil, nil, fmt.Errorf("mesh: group %q: expected a tag from 0 to %d, found %d", g.Name, math.MaxInt32, g.Tag)
		}
		for _, members := range g.Members {
			to, shift, total := &nodes, 0, m.Nodes()
			if members.Block >= 0 {
				to, shift, total = &cells, first[members.Block], first[len(m.Blocks)]
			}
			values := groupArray(to, g, total)
			tag := int32(g.Tag)
			if tag == 0 {
				tag = -1
			}
			for _, e := range members.Elements {
				if old := &values[shift+int(e)]; *old == 0 || *old == tag {
					*old = tag
					continue
				}
				return nil, nil, fmt.Errorf("mesh: two groups of dimension %d that overlap are named %q", g.Dim, g.Name)
			}
		}
	}
	return nodes, cells, nil
}

// groupArray returns the values of the array that holds a group, which it adds to the arrays unless it is there.
func groupArray(arrays *[]vtu.Array, g *Group, total int) []int32 {
	name := groupPrefix + g.Name
	if g.Name == "" {
		name = fmt.Sprintf("%s#%d", groupPrefix, g.Tag)
	}
	for _, a := range *arrays {
		if a.Name == name {
			return a.Values.([]int32)
		}
	}
	values := make([]int32, total)
	*arrays = append(*arrays, vtu.Array{Name: name, Components: 1, Values: values})
	return values
}

// groupName returns the name of the group that an array holds, and whether it holds one.
func groupName(a vtu.Array) (name string, found bool) {
	if a.Components != 1 {
		return "", false
	}
	if name, found = strings.CutPrefix(a.Name, groupPrefix); found && strings.HasPrefix(name, "#") {
		name = ""
	}
	return name, found
}
