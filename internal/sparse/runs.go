package sparse

// Run is the rows [First, Last).
type Run struct{ First, Last int32 }

// AllRows returns the run of that many rows; none for 0.
func AllRows(rows int) []Run {
	if rows == 0 {
		return nil
	}
	return []Run{{0, int32(rows)}}
}

// Nonzeros returns the number of nonzeros in the rows of some runs.
func Nonzeros(rowPtr []int32, runs []Run) int {
	n := 0
	for _, r := range runs {
		n += int(rowPtr[r.Last] - rowPtr[r.First])
	}
	return n
}

// Leading returns the pattern of the first rows. It shares the memory of p.
func (p *Pattern) Leading(rows int) *Pattern {
	if rows == p.Rows {
		return p
	}
	return &Pattern{Rows: rows, Cols: p.Cols, RowPtr: p.RowPtr[:rows+1], ColIdx: p.ColIdx[:p.RowPtr[rows]]}
}

// Split returns the rows that have nonzeros in the first columns alone, and the others.
func (p *Pattern) Split(cols int) (inner, outer []Run) {
	for r := range p.Rows {
		row, to := p.Row(r), &inner
		if n := len(row); n > 0 && int(row[n-1]) >= cols {
			to = &outer
		}
		if n := len(*to); n > 0 && (*to)[n-1].Last == int32(r) {
			(*to)[n-1].Last++
		} else {
			*to = append(*to, Run{int32(r), int32(r + 1)})
		}
	}
	return inner, outer
}

// Division is rows in parts, for workers: part i has the runs [Ends[i], Ends[i+1]).
type Division struct {
	Ends []int32 // from 0 on
	Runs []Run
}

// Of returns the runs of a part.
func (d *Division) Of(part int) []Run { return d.Runs[d.Ends[part]:d.Ends[part+1]] }

// Divide divides runs of rows into parts with about equal numbers of nonzeros; an empty row costs
// something, too.
func Divide(rowPtr []int32, runs []Run, parts int) Division {
	weight := func(r int32) int { return int(rowPtr[r]) + 2*int(r) }
	total := 0
	for _, r := range runs {
		total += weight(r.Last) - weight(r.First)
	}
	d := Division{Ends: make([]int32, 1, parts+1)}
	done := 0 // the weight of the runs so far
	for part, k, row := 1, 0, int32(0); part <= parts; part++ {
		for ; k < len(runs); k++ {
			row = max(row, runs[k].First)
			before, last := weight(row)-done, runs[k].Last
			if part < parts {
				last = row + int32(search(int(last-row), func(i int) bool { return weight(row+int32(i))-before >= part*total/parts }))
			}
			if last > row {
				d.Runs = append(d.Runs, Run{row, last})
				done += weight(last) - weight(row)
				row = last
			}
			if last < runs[k].Last {
				break
			}
		}
		d.Ends = append(d.Ends, int32(len(d.Runs)))
	}
	return d
}
