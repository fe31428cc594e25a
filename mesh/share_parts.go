package mesh

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/comm"
)

// sharedParts are the parts of the elements of all ranks' shares, of which this rank has those of its elements: equal parts
// are found here first, and then, those whose corners are all on the border, by the ranks that declare a corner.
type sharedParts struct {
	*occurrences
	share   *share
	first   []int32 // as match returns it
	other   []int32 // of each first one: the next one here, of a cell, or -1; or -2-i for answers[i]
	answers []joint
	numbers []int32 // of the part that each occurrence is; -1: of no cell
	own     []int   // of each class: how many have their first cell here
}

// joint is a part, by the first two of its occurrences in cells of all ranks; -1: there is none. Of edges there is only the first.
type joint struct{ first, other int64 }

// partBits are the bits of an occurrence's number over all ranks that hold the number of the part in its element.
const partBits = 6

// global returns the number over all ranks of an occurrence.
func (p *sharedParts) global(at int32) int64 {
	in, e, part := p.at(at)
	return (p.share.before[in.index]+p.share.first(in.index)+int64(e))<<partBits | int64(part)
}

// element returns the block of an occurrence, given its number over all ranks, and its element in the whole block.
func (s *share) element(occurrence int64) (block int, element int64) {
	e := occurrence >> partBits
	for s.before[block+1] <= e {
		block++
	}
	return block, e - s.before[block]
}

// joint returns the part that an occurrence is.
func (p *sharedParts) joint(at int32) joint {
	if p.first[at] != alone {
		at = p.first[at]
	}
	j := joint{p.global(at), -1}
	switch other := p.other[at]; {
	case other <= -2:
		return p.answers[-2-other]
	case other >= 0:
		j.other = p.global(other)
	}
	if j.first>>partBits >= p.share.cells {
		j.first = -1
	}
	return j
}

// add adds an occurrence to a part. With pairs, it is an error if it is the third.
func (j *joint) add(occurrence int64, pairs bool) (ok bool) {
	switch {
	case occurrence < 0:
	case j.first < 0:
		j.first = occurrence
	case !pairs:
		j.first = min(j.first, occurrence)
	case j.other < 0:
		j.first, j.other = min(j.first, occurrence), max(j.first, occurrence)
	default:
		return false
	}
	return true
}

// sharedParts finds equal parts, those that selected returns for each kind. With pairs, it is an error if a part has more
// than two cells. It is collective.
func (m *Mesh) sharedParts(selected func(Kind) []Part, pairs bool) (*sharedParts, error) {
	p := &sharedParts{share: m.share}
	rt := m.share.rt
	err := p.matchHere(m, selected, pairs)
	if err := rt.Agree(err); err != nil {
		return nil, err
	}
	type question struct {
		corners [4]int32
		joint
	}
	var questions []question
	var asked []int32
	p.each(0, p.elements, func(in *occurringIn, e, number int) {
		for k, part := range in.parts {
			if at := int32(number + k); isFirst(p.first, at) {
				if corners, border := m.share.corners(in.Element(e), part); border {
					questions, asked = append(questions, question{corners, p.joint(at)}), append(asked, at)
				}
			}
		}
	})
	p.answers, err = ask(rt, questions, func(i int) int { return rankOf(m.share.homes, int64(questions[i].corners[0])) }, func(questions []question) ([]joint, error) {
		joints, which, answers := []joint{}, map[[4]int32]int{}, make([]joint, len(questions))
		for _, q := range questions {
			i, met := which[q.corners]
			if !met {
				i = len(joints)
				which[q.corners], joints = i, append(joints, joint{-1, -1})
			}
			if j := &joints[i]; !j.add(q.first, pairs) || !j.add(q.other, pairs) {
				return nil, m.share.crowded(q.corners, joints[i], q.joint)
			}
		}
		for i, q := range questions {
			answers[i] = joints[which[q.corners]]
		}
		return answers, nil
	})
	for i, at := range asked {
		p.other[at] = int32(-2 - i)
	}
	return p, err
}

// matchHere finds the equal parts of the rank's own elements.
func (p *sharedParts) matchHere(m *Mesh, selected func(Kind) []Part, pairs bool) (err error) {
	if p.occurrences, err = m.occurrencesOf(selected); err != nil {
		return err
	}
	if p.first, err = p.match(-1); err != nil {
		return fmt.Errorf("%w\n  hint: elements and nodes are counted within the share of rank %d", err, m.share.rt.Rank())
	}
	p.other = slices.Repeat([]int32{-1}, p.total)
	cells := len(m.CellBlocks())
	p.each(0, p.elements, func(in *occurringIn, e, number int) {
		for k, part := range in.parts {
			at := int32(number + k)
			if !pairs || in.index >= cells || isFirst(p.first, at) {
				continue
			}
			if first := p.first[at]; p.other[first] < 0 {
				p.other[first] = at
			} else if err == nil {
				corners, _ := m.share.corners(in.Element(e), part)
				err = m.share.crowded(corners, p.joint(first), joint{p.global(at), -1})
			}
		}
	})
	return err
}

// corners returns the declared numbers of a part's corners, ascending, and -1 for those that there are not, and whether
// all of them are on the border.
func (s *share) corners(nodes []int32, part Part) (corners [4]int32, border bool) {
	corners, border = [4]int32{-1, -1, -1, -1}, true
	n := part.Kind.Corners()
	for i, place := range part.Nodes[:n] {
		corners[i] = s.nodes[nodes[place]]
		border = border && s.border[nodes[place]]
	}
	slices.Sort(corners[:n])
	return corners, border
}

// crowded returns the error that a part has more than two cells.
func (s *share) crowded(corners [4]int32, of ...joint) error {
	var cells []string
	for _, j := range of {
		for _, occurrence := range []int64{j.first, j.other} {
			if occurrence >= 0 {
				cells = append(cells, fmt.Sprint(occurrence>>partBits))
			}
		}
	}
	nodes := slices.DeleteFunc(slices.Clone(corners[:]), func(n int32) bool { return n < 0 })
	return fmt.Errorf("mesh: the facet with nodes %s has more than two cells: %s", listed(nodes), strings.Join(cells, ", "))
}

// number numbers the parts that cells have: class by class, and in each in the order of their first occurrences. It returns the
// first number of each class, and the end. It is collective.
func (p *sharedParts) number(classes int, class func(at int32, j joint) int) (starts []int64, err error) {
	s, cells := p.share, 0
	for s.before[cells] < s.cells {
		cells++
	}
	p.numbers = slices.Repeat([]int32{-1}, p.total)
	counts := make([]int64, classes*cells) // of parts whose first cell is here, class by class
	p.eachOwn(func(in *occurringIn, _ int, at int32, j joint) {
		i := class(at, j)*cells + in.index
		p.numbers[at] = int32(counts[i])
		counts[i]++
	})
	p.own = make([]int, classes)
	for i, n := range counts {
		p.own[i/cells] += int(n)
	}
	all := make([]int64, s.rt.Ranks()*len(counts))
	copy(all[s.rt.Rank()*len(counts):], counts)
	if err := comm.Sum(s.rt.Comm(), all); err != nil {
		return nil, s.rt.Broken(err)
	}
	next := int64(0)
	for i := range counts {
		if i%cells == 0 {
			starts = append(starts, next)
		}
		for rank := range s.rt.Ranks() {
			if rank == s.rt.Rank() {
				counts[i] = next
			}
			next += all[rank*len(counts)+i]
		}
	}
	starts = append(starts, next)
	if next > 1<<31-1 {
		return nil, fmt.Errorf("mesh: the cells have %d edges or faces, at most %d are possible", next, 1<<31-1)
	}
	p.eachOwn(func(in *occurringIn, _ int, at int32, j joint) {
		p.numbers[at] += int32(counts[class(at, j)*cells+in.index])
	})
	return starts, p.numberOthers()
}

// eachOwn calls f for the parts whose first cell is here.
func (p *sharedParts) eachOwn(f func(in *occurringIn, element int, at int32, j joint)) {
	p.each(0, p.elements, func(in *occurringIn, e, number int) {
		for k := range in.parts {
			if at := int32(number + k); isFirst(p.first, at) {
				if j := p.joint(at); j.first == p.global(at) {
					f(in, e, at, j)
				}
			}
		}
	})
}

// numberOthers numbers the parts whose first cell is not here, and occurrences that are not the first. It is collective.
func (p *sharedParts) numberOthers() error {
	s := p.share
	var questions []int64
	var asked []int32
	for at := range p.first {
		if p.numbers[at] >= 0 || !isFirst(p.first, int32(at)) {
			continue
		}
		if first := p.joint(int32(at)).first; first >= 0 {
			questions, asked = append(questions, first), append(asked, int32(at))
		}
	}
	numbers, err := ask(s.rt, questions, func(i int) int {
		block, element := s.element(questions[i])
		return rankOf(s.starts[block], element)
	}, func(questions []int64) ([]int32, error) {
		numbers := make([]int32, len(questions))
		for i, q := range questions {
			block, element := s.element(q)
			in := &p.blocks[slices.IndexFunc(p.blocks, func(in occurringIn) bool { return in.index == block })]
			numbers[i] = p.numbers[in.first+int(element-s.first(block))*len(in.parts)+int(q&(1<<partBits-1))]
		}
		return numbers, nil
	})
	if err != nil {
		return err
	}
	for i, at := range asked {
		p.numbers[at] = numbers[i]
	}
	for at, first := range p.first {
		if first != alone {
			p.numbers[at] = p.numbers[first]
		}
	}
	return nil
}
