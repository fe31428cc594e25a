package plot

// mend gives each bare sample between two covered ones, side by side or one above the other, the
// ink of a neighbor. It closes cracks between cells whose corners should coincide but do not quite.
func mend(r *raster) {
	for j := range r.h {
		row := r.ink[j*r.w : (j+1)*r.w]
		for i, k := range row {
			if k != bare {
				continue
			}
			if 0 < i && i+1 < r.w && row[i-1] != bare && row[i+1] != bare {
				row[i] = row[i-1]
			} else if 0 < j && j+1 < r.h {
				if above, below := r.ink[(j-1)*r.w+i], r.ink[(j+1)*r.w+i]; above != bare && below != bare {
					row[i] = above
				}
			}
		}
	}
}

// run is a row of bare samples without a gap.
type run struct {
	row    int
	cols   span
	parent int32 // another run of the same patch, or itself
	rim    bool  // of the parent's patch: some sample lies on the rim of the raster
}

// patches returns the runs of bare samples of r, in which those connected side
// by side or one above the other form a patch: they have the same root.
func patches(r *raster) patchwork {
	var runs patchwork
	above := span{} // the runs of the row above
	for j := range r.h {
		row := r.ink[j*r.w : (j+1)*r.w]
		here := span{len(runs), len(runs)}
		first := above.lo
		for i := 0; i < r.w; i++ {
			if row[i] != bare {
				continue
			}
			start := i
			for i < r.w && row[i] == bare {
				i++
			}
			rim := j == 0 || j == r.h-1 || start == 0 || i == r.w
			runs = append(runs, run{j, span{start, i}, int32(here.hi), rim})
			for first < above.hi && runs[first].cols.hi <= start {
				first++
			}
			for k := first; k < above.hi && runs[k].cols.lo < i; k++ {
				runs.join(int32(k), int32(here.hi))
			}
			here.hi++
		}
		above = here
	}
	return runs
}

type patchwork []run

func (p patchwork) root(i int32) int32 {
	for p[i].parent != i {
		p[i].parent = p[p[i].parent].parent // halve the path for the next search
		i = p[i].parent
	}
	return i
}

func (p patchwork) join(i, j int32) {
	i, j = p.root(i), p.root(j)
	if j < i {
		i, j = j, i
	}
	p[j].parent = i
	p[i].rim = p[i].rim || p[j].rim
}

// fillBodies gives the ink body to the patches of bare samples that do not reach the rim of r, if there are holes, and
// to the other patches for which inside, called with a sample of the patch, returns true.
func fillBodies(r *raster, holes bool, inside func(sample point) bool) {
	runs := patches(r)
	isBody := make([]bool, len(runs)) // meaningful at the roots
	for i := range runs {
		if root := runs.root(int32(i)); root == int32(i) {
			isBody[i] = holes && !runs[i].rim || inside(point{float64(runs[i].cols.lo) + 0.5, float64(runs[i].row) + 0.5})
		}
		if !isBody[runs.root(int32(i))] {
			continue
		}
		row := r.ink[runs[i].row*r.w:]
		for k := runs[i].cols.lo; k < runs[i].cols.hi; k++ {
			row[k] = body
		}
	}
}
