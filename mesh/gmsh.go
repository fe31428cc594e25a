package mesh

import (
	"bytes"
	"encoding/binary"
	"io"
	"regexp"
	"slices"
	"strconv"
)

// ReadGmsh reads a mesh in the format of Gmsh, .msh, version 2.2 or 4.1, text or binary in either byte order, to the
// end of r.
//
// Elements are of first or second order. Physical groups become [Mesh.Groups], in the order of their dimensions and
// tags; the points among them become groups of nodes, and other points are left out. Nodes that belong to no element
// are dropped, and where all elements are lines, triangles and quadrilaterals with the same z, the mesh has two
// dimensions. An element that a file of version 2.2 repeats for each of its groups is one element. Partitions
// and the interfaces between them, periodicity, parametric coordinates, data and unknown sections are skipped.
//
// Where r does not hold that format, the error is a [*FormatError] with the line, or the byte in a binary file. The
// file it names is r.Name() where r has such a method, as an [os.File] does. Errors of r itself are wrapped.
func ReadGmsh(r io.Reader, options ...ReadOption) (*Mesh, error) {
	o := readOptions(options)
	data, name, err := o.readAll(r)
	if err != nil {
		return nil, err
	}
	g := &gmshReader{fileReader: fileReader{name: name, data: data}, options: o}
	g.read()
	if g.err != nil {
		return nil, g.err
	}
	return g.mesh()
}

// read reads all sections.
func (g *gmshReader) read() {
	g.physical, g.interfaces = map[gmshKey][]int32{}, map[gmshKey]bool{}
	g.runs = map[gmshKey]*[kinds][]span{}
	g.format()
	found := map[string]bool{}
	for g.err == nil {
		name := g.section()
		if name == "" {
			break
		}
		found[name] = true
		switch {
		case name == "PhysicalNames":
			g.physicalNames()
		case name == "Entities" && g.version == 4:
			g.entities(false)
		case name == "PartitionedEntities" && g.version == 4:
			g.entities(true)
		case name == "Nodes" && g.version == 4:
			g.nodes4()
		case g.version == 2 && g.pieces != nil:
			return
		case name == "Nodes":
			g.nodes2()
		case name == "ParametricNodes":
			g.fail(g.pos, "expected $Nodes, found $ParametricNodes: save the mesh without Mesh.SaveParametric")
		case name == "Elements" && g.version == 4:
			g.elements4()
		case name == "Elements":
			g.elements2()
		default:
			g.skip(name)
			continue
		}
		g.end(name)
	}
	for _, name := range []string{"Nodes", "Elements"} {
		if !found[name] {
			g.fail(g.pos, "expected a section $%s, found the end of the file", name)
		}
	}
}

// geometry matches the text of a geometry, from which Gmsh makes meshes.
var geometry = regexp.MustCompile(`(?m)^\s*(SetFactory\s*\(|(Point|Line|Rectangle|Box|Sphere|Circle|Disk|Cylinder)\s*\([^()]*\)\s*=)`)

// format reads $MeshFormat: the version, whether the file is binary, and its byte order.
func (g *gmshReader) format() {
	if text := bytes.TrimSpace(g.data); !bytes.HasPrefix(text, []byte("$")) && geometry.Match(text) {
		g.fail(0, "expected $MeshFormat, found %s; a geometry, of which Gmsh makes a mesh: gmsh -2 FILE -o NEW for areas, -3 for volumes", g.lineAt(0))
		return
	}
	switch g.section() {
	case "MeshFormat":
	case "NOD":
		g.fail(0, "expected version 2.2 or 4.1, found version 1: gmsh FILE -save -format msh41 -o NEW converts it")
	default:
		g.fail(0, "expected $MeshFormat, found %s", g.lineAt(0))
	}
	at := g.pos
	fields := bytes.Fields(g.line())
	if len(fields) != 3 {
		g.fail(at, "expected a version, 0 for text or 1 for binary, and the size of a number, found %s", g.lineAt(at))
		return
	}
	switch version := string(fields[0]); version {
	case "2", "2.1", "2.2":
		g.version = 2
	case "4.1":
		g.version = 4
	default:
		g.fail(at, "expected version 2.2 or 4.1, found %s: gmsh FILE -save -format msh41 -o NEW converts it", quote(fields[0]))
	}
	binaryFile := string(fields[1])
	if binaryFile != "0" && binaryFile != "1" {
		g.fail(at, "expected 0 for text or 1 for binary, found %s", quote(fields[1]))
	}
	if binaryFile == "1" {
		if string(fields[2]) != "8" {
			g.fail(at, "expected numbers of 8 bytes, found %s", quote(fields[2]))
		}
		g.binary, g.order = true, binary.LittleEndian
		one := g.take(4, "the number 1 that gives the byte order")
		switch {
		case g.err != nil:
		case binary.LittleEndian.Uint32(one) == 1:
		case binary.BigEndian.Uint32(one) == 1:
			g.order = binary.BigEndian
		default:
			g.fail(g.pos-4, "expected the number 1 that gives the byte order, found the bytes % x", one)
		}
	}
	g.end("MeshFormat")
}

// physicalNames reads $PhysicalNames, which is text in binary files, too:
//
//	dimension tag "name"
func (g *gmshReader) physicalNames() {
	for range g.countLine("names", 6) {
		at := g.spaces()
		line := bytes.TrimSpace(g.line())
		quote := bytes.IndexByte(line, '"')
		if quote < 0 || quote == len(line)-1 || line[len(line)-1] != '"' {
			quote = 0
		}
		fields := bytes.Fields(line[:quote])
		if len(fields) != 2 {
			g.fail(at, `expected a dimension, a tag and a "name", found %s`, g.lineAt(at))
			return
		}
		dim, err1 := strconv.ParseUint(string(fields[0]), 10, 2)
		tag, err2 := strconv.ParseInt(string(fields[1]), 10, 32)
		if err1 != nil || err2 != nil {
			g.fail(at, "expected a dimension from 0 to 3 and a tag, found %s", g.lineAt(at))
			return
		}
		g.names = append(g.names, gmshName{gmshKey{int(dim), abs(int32(tag))}, string(line[quote+1 : len(line)-1])})
	}
}

// entities reads $Entities of version 4.1 for the physical groups of each entity; all else it skips. An entity of
// $PartitionedEntities also has a parent and partitions; where the parent has another dimension, the entity is an
// interface of partitions.
func (g *gmshReader) entities(partitioned bool) {
	if partitioned {
		g.size("partitions", 0)
		for range g.size("ghosts", 2) {
			g.integer("a ghost entity")
			g.integer("a partition")
		}
	}
	var counts [4]int
	for dim := range counts {
		counts[dim] = g.size("entities", 2)
	}
	for dim, count := range counts {
		for range count {
			key := gmshKey{dim, g.integer("an entity's tag")}
			if partitioned {
				if parent := int(g.integer("a parent's dimension")); parent != dim {
					g.interfaces[key] = true
				}
				g.integer("a parent's tag")
				for range g.size("partitions", 1) {
					g.integer("a partition")
				}
			}
			places := 6
			if dim == 0 {
				places = 3
			}
			for range places {
				g.number("a coordinate")
			}
			for range g.size("physical tags", 1) {
				tag := abs(g.integer("a physical tag"))
				if !slices.Contains(g.physical[key], tag) {
					g.physical[key] = append(g.physical[key], tag)
				}
			}
			if dim > 0 {
				for range g.size("bounding entities", 1) {
					g.integer("a bounding entity")
				}
			}
			if g.err != nil {
				return
			}
		}
	}
}
