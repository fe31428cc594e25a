package mesh

import "github.com/go-op2/op2/internal/parallel"

// gmshReader reads a file into the parts of a mesh.
type gmshReader struct {
	fileReader
	options *reading
	version int // 2 or 4: 2.2 or 4.1

	names    []gmshName
	physical map[gmshKey][]int32 // of each entity, the tags of its groups

	interfaces map[gmshKey]bool // the entities that are interfaces of partitions

	tags      []int64     // of the nodes
	points    []float64   // of the nodes. Shape [len(tags)][3]
	tagPieces []piece     // where the tags are in the file
	index     *tagIndex   // nil before the first elements
	pieces    *gmshPieces // of a share: nodes and elements are not read at once; nil: they are
	jobs      []func() error

	counts   [kinds]int                 // elements of each kind of version 4.1
	elements [kinds][]int32             // nodes of the elements of each kind, in Gmsh's order
	before   head                       // the last element of version 2.2
	runs     map[gmshKey]*[kinds][]span // of each group, its elements of each kind
}

// gmshName is a line of $PhysicalNames.
type gmshName struct {
	gmshKey
	name string
}

// gmshPieces is where the nodes and elements of a file are, if they are not read at once: nodes beside those of tagPieces.
type gmshPieces struct {
	points   []piece
	elements [kinds][]piece
	nodes    int
}

// head is an element without its nodes.
type head struct {
	kind             Kind
	physical, entity int32 // 0: none
}

// cut moves past n lines of a text file, or records of each bytes of a binary one, and returns them in pieces. They
// hold the things called what, of which the first one has the number first.
func (g *gmshReader) cut(n, first, each int, what string) []piece {
	var pieces []piece
	for done := 0; done < n && g.err == nil; done += g.options.pieceLength {
		p := piece{start: g.pos, first: first + done, n: min(n-done, g.options.pieceLength), bytes: each}
		if g.binary {
			g.take(p.n*each, what)
		} else {
			g.passLines(p.n, done, n, what)
		}
		p.end = g.pos
		pieces = append(pieces, p)
	}
	return pieces
}

// blocksHeader reads the beginning of $Nodes and $Elements of version 4.1, and returns the number of blocks.
func (g *gmshReader) blocksHeader(what string) int {
	blocks := g.size("blocks of "+what, g.leastBytes(4))
	g.size(what, 0)
	g.size("tags", 0) // the least
	g.size("tags", 0) // the greatest
	return blocks
}

// leastBytes returns the least number of bytes that some numbers of 8 bytes take.
func (g *gmshReader) leastBytes(numbers int) int {
	if g.binary {
		return 8 * numbers
	}
	return 2 * numbers // a digit, and the space or the end of the line
}

// later plans to read pieces.
func (g *gmshReader) later(pieces []piece, read func(piece) error) {
	for _, p := range pieces {
		g.jobs = append(g.jobs, func() error {
			err := read(p)
			g.options.parsed(float64(p.end-p.start) / float64(len(g.data)))
			return err
		})
	}
}

// run reads the planned pieces, on all processors.
func (g *gmshReader) run() {
	jobs := g.jobs
	g.jobs = nil
	if g.err == nil {
		g.err = parallel.Each(len(jobs), func(i int) error { return jobs[i]() })
	}
}
