package mesh

import (
	"fmt"
	"strings"
)

// Report lists problems of a mesh, certain and possible ones. Cells are numbered across the blocks.
type Report struct {
	Unused     []int32    // nodes of no element and no group
	Coincident [][2]int32 // nodes at the place of an earlier one, and the earlier one
	Inverted   []int32    // cells with a negative area or volume, as a whole or at a corner
	Degenerate []int32    // cells without area or volume, or with a node twice
	Facets     error      // what is wrong with the facets of the cells: more than two cells at one, say; nil: nothing

	// Of a mesh whose facets are right:

	Open      int     // facets of one cell alone, where a surface or a curve ends
	Pinched   []int32 // nodes of a plane mesh where its boundary touches itself
	Loose     int     // elements of one dimension less than the cells that are no facets of cells
	Rim       []int32 // nodes where the elements on the boundary end: they are part of it, or a curve or surface that is not closed
	Ungrouped int     // facets of the boundary in no group, if others are in one

	Unnamed []int // groups without a name, by their index
	Empty   []int // groups without elements
}

// String returns the problems, a line each without a line break at the end, or "no problems".
func (r *Report) String() string {
	if lines := r.lines(); len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	return "no problems"
}

func (r *Report) lines() (lines []string) {
	add := func(n int, one, many string, which string) {
		switch {
		case n == 0:
			return
		case n == 1:
			lines = append(lines, "1 "+one+which)
		default:
			lines = append(lines, fmt.Sprint(n, " ", many, which))
		}
	}
	var later, earlier []int32
	for _, pair := range r.Coincident {
		later, earlier = append(later, pair[0]), append(earlier, pair[1])
	}
	add(len(r.Unused), "node belongs to no element", "nodes belong to no element", firstFew(r.Unused))
	add(len(later), "node lies where another one does", "nodes lie where others do", firstFew(later)+" and"+strings.TrimPrefix(firstFew(earlier), ":"))
	add(len(r.Inverted), "cell is inverted", "cells are inverted", firstFew(r.Inverted))
	add(len(r.Degenerate), "cell is degenerate", "cells are degenerate", firstFew(r.Degenerate))
	if r.Facets != nil {
		lines = append(lines, strings.TrimPrefix(r.Facets.Error(), "mesh: "))
	}
	add(r.Open, "facet is open: it has one cell alone", "facets are open: they have one cell alone", "")
	add(len(r.Pinched), "node is where the boundary touches itself", "nodes are where the boundary touches itself", firstFew(r.Pinched))
	add(r.Loose, "element is no facet of a cell", "elements are no facets of cells", "")
	if len(r.Rim) > 0 {
		lines = append(lines, fmt.Sprint("the elements on the boundary do not close it: they end at ", len(r.Rim), " nodes", firstFew(r.Rim)))
	}
	add(r.Ungrouped, "facet of the boundary is in no group", "facets of the boundary are in no group", "")
	add(len(r.Unnamed), "group has no name", "groups have no name", firstFew(r.Unnamed))
	add(len(r.Empty), "group has no elements", "groups have no elements", firstFew(r.Empty))
	return lines
}

// firstFew lists the first few numbers, after a colon.
func firstFew[T int | int32](numbers []T) string {
	const few = 5
	var text strings.Builder
	for i, n := range numbers {
		if i == few {
			text.WriteString(", ...")
			break
		}
		fmt.Fprintf(&text, "%s %d", map[bool]string{true: ":", false: ","}[i == 0], n)
	}
	return text.String()
}
