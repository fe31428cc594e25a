package distribute

import (
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/store"
)

// Each rank distributes the mesh by what it has declared. Ranks that have declared different meshes
// would wait for messages that nobody sends, or compute something else. So they first compare what
// they have declared, by check sums.

// declaration is something that all ranks declare alike.
type declaration struct {
	text   string
	values []byte // that all ranks have given; nil: zeros, or each rank gives its own
	unit   int    // bytes of a value
	count  int    // values
	lost   bool   // the values are no longer there: the program has dropped the dat
	hint   string // for those who have given different values

	place func(i int) string // describes the place of a value
	value func(i int) any
}

const (
	hintWhole = "what is declared whole is the same on all ranks; with NewSetShare, each declares a part"
	hintDat   = hintWhole + "; values that a rank alone knows are set through Data, after Partition"
	hintOwner = "with METIS or Scotch, which auto uses, too, all ranks need the same libraries"
)

// checkDeclarations returns an error, on all ranks, unless all have declared the same mesh: of sets
// that each declares whole, also the same values. It is collective.
func checkDeclarations(rt *entity.Runtime, coordinates []*entity.Data) error {
	var all []declaration
	m := rt.Mesh()
	for _, s := range m.Sets {
		text := fmt.Sprintf("set %s of %d elements", s.Name(), s.Whole())
		if s.Shared() {
			text += ", in shares"
		}
		all = append(all, declaration{text: text})
	}
	for _, f := range m.Maps {
		all = append(all, declarationOfMap(f))
	}
	for _, d := range m.Held {
		all = append(all, declaration{text: d.Shape()})
	}
	for i := range m.Whole {
		all = append(all, declarationOfDat(&m.Whole[i]))
	}
	for _, s := range m.Subsets {
		all = append(all, declarationOfSubset(s))
	}
	for _, d := range coordinates {
		all = append(all, declaration{text: "coordinates " + d.Name()})
	}
	for _, d := range m.Owners {
		all = append(all, declaration{text: "owners " + d.Name()})
	}
	return checkSameDeclarations(rt, all)
}

// checkOwners returns an error, on all ranks, unless all have found the same owners. It is collective.
func checkOwners(rt *entity.Runtime, owners map[*entity.Set][]int32) error {
	var all []declaration
	for _, s := range rt.Mesh().Sets {
		if o := owners[s]; o != nil {
			all = append(all, declaration{text: "partition of " + s.Name(), values: store.Bytes(o), unit: 4, count: len(o), hint: hintOwner,
				place: func(i int) string { return fmt.Sprintf("the owner of element %d", i) }, value: func(i int) any { return o[i] }})
		}
	}
	return checkSameDeclarations(rt, all)
}

// checkSameDeclarations returns an error, on all ranks, that says what differs first, unless all have
// made the same declarations. It is collective.
func checkSameDeclarations(rt *entity.Runtime, all []declaration) error {
	texts := make([]string, len(all))
	for i := range all {
		texts[i] = all[i].text
	}
	switch same, err := rt.SameOnAll(strings.Join(texts, "\n")); {
	case err != nil:
		return err
	case !same:
		who, err := rt.Differences(texts, entity.RankTexts.First)
		if err != nil {
			return err
		}
		return entity.OnAll(fmt.Errorf("op2: ranks have declared different meshes: %s\n  hint: all ranks make the same declarations in the same order", who))
	}
	sums := make([]int64, len(all))
	for i := range all {
		sums[i] = all[i].sum(all[i].count)
	}
	same, err := sameSums(rt, sums)
	if i := slices.Index(same, false); i >= 0 {
		return differ(rt, &all[i])
	}
	return err
}

// differ returns the error for the first value that differs. It is collective.
func differ(rt *entity.Runtime, d *declaration) error {
	first, last := 0, d.count-1
	for first < last {
		middle := (first + last) / 2
		switch same, err := sameSums(rt, []int64{d.sum(middle + 1)}); {
		case err != nil:
			return err
		case same[0]:
			first = middle + 1
		default:
			last = middle
		}
	}
	own := "it is no longer there"
	if !d.lost {
		own = fmt.Sprintf("it is %v", d.value(first))
	}
	who, err := rt.Differences([]string{own}, entity.RankTexts.First)
	if err != nil {
		return err
	}
	return entity.OnAll(fmt.Errorf("op2: ranks have declared different meshes: %s: %s, differs: %s\n  hint: %s", d.text, d.place(first), who, d.hint))
}

// anySum is the check sum of values that are lost: it is the same as any.
const anySum = math.MaxInt64

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum returns a check sum of the first n values. It does not depend on how many zeros they begin with.
func (d *declaration) sum(n int) int64 {
	if d.lost {
		return anySum
	}
	return int64(crc32.Update(math.MaxUint32, castagnoli, d.values[:min(n*d.unit, len(d.values))]))
}

// sameSums reports for each check sum whether it is the same on all ranks. It is collective.
func sameSums(rt *entity.Runtime, sums []int64) ([]bool, error) {
	bounds := make([]int64, 0, 2*len(sums)) // for each the least, and the negative of the greatest
	for _, s := range sums {
		if s == anySum {
			bounds = append(bounds, anySum, anySum)
		} else {
			bounds = append(bounds, s, -s)
		}
	}
	if err := comm.Reduce(rt.Comm(), loop.Min, bounds); err != nil {
		return nil, rt.Broken(err)
	}
	same := make([]bool, len(sums))
	for i := range same {
		same[i] = bounds[2*i] == -bounds[2*i+1] || bounds[2*i] == anySum
	}
	return same, nil
}

func declarationOfMap(m *entity.Map) declaration {
	d := declaration{text: fmt.Sprintf("%s, %d for each", m.What(), m.Arity()), hint: hintWhole, place: placeOf(m.Arity())}
	if m.IsMasked() {
		d.text = "masked " + d.text
	}
	if numbers := m.Numbers(); !m.From().Shared() {
		d.values, d.unit = numbers.Bytes()
		d.count, d.value = numbers.Len(), func(i int) any { return numbers.At(i) }
	}
	return d
}

func declarationOfSubset(s *entity.Subset) declaration {
	text := "subset " + s.Name() + " of " + s.Of().Name()
	if s.Of().Shared() {
		return declaration{text: text}
	}
	return declaration{text: text + ", of " + problem.Count(len(s.List()), "element"), values: store.Bytes(s.List()), unit: 4, count: len(s.List()), hint: hintWhole,
		place: func(i int) string { return fmt.Sprintf("number %d, in ascending order", i) }, value: func(i int) any { return s.List()[i] }}
}

func declarationOfDat(w *entity.WholeDat) declaration {
	d := declaration{text: w.Text, count: w.Count, hint: hintDat, place: placeOf(w.Dim)}
	dat := w.Dat.Value()
	if d.lost = dat == nil; !d.lost {
		dat.ClearPadding() // which the program may have changed through Data
		d.values, d.unit = dat.Bytes(), dat.Scalar().Size()
		d.value = func(i int) any { return dat.Float64s()[i] }
	}
	return d
}

// placeOf returns what describes the place of a value, of dim for each element.
func placeOf(dim int) func(i int) string {
	return func(i int) string { return fmt.Sprintf("value %d, of component %d for element %d", i, i%dim, i/dim) }
}
