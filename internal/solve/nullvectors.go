package solve

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// nullVectors are the vectors of a null space: of all parts, one part's values here after another's.
type nullVectors struct {
	values [][]float64
	names  []string
}

// nullSpace returns the vectors of null spaces in a space. Some may be zero, such as a rotation of a
// straight beam around itself, but not all.
func (s *Solver) nullSpace(in space, null []NullSpace) (v nullVectors, err error) {
	for _, n := range null {
		switch {
		case n.Part == AnyPart && n.Vectors == nil && len(in) > 1:
			err = fmt.Errorf("WithNullSpace: the unknowns have %d parts\n  hint: WithPartNullSpace names the one of the constants", len(in))
		case n.Part == AnyPart:
			err = s.addNull(&v, "WithNullSpace", in, 0, len(in), n.Vectors)
		case n.Part < 0 || n.Part >= len(in):
			err = fmt.Errorf("WithPartNullSpace: there is no part %d: the unknowns have %s, numbered from 0", n.Part, problem.Count(len(in), "part"))
		default:
			err = s.addNull(&v, "WithPartNullSpace", in, n.Part, 1, n.Vectors)
		}
		if err != nil {
			return v, err
		}
	}
	if len(v.values) == 0 {
		return v, nil
	}
	nonzeros := int64(0)
	for _, values := range v.values {
		for _, x := range values {
			if x != 0 {
				nonzeros++
			}
		}
	}
	all, err := entity.Combine(s.rt, loop.Inc, nonzeros)
	if err == nil && all[0] == 0 && in.whole() > 0 {
		return v, errors.New("WithNullSpace: all vectors are zero: without vectors it is the constants")
	}
	return v, err
}

// addNull adds an option's vectors of some parts from the first one on, which are zero in the others.
func (s *Solver) addNull(v *nullVectors, option string, in space, first, parts int, vectors [][]Vector) error {
	of := in[first : first+parts]
	values, err := s.vectors(option, of, vectors)
	if err != nil {
		return err
	}
	if vectors == nil {
		values = constants(of[0])
	}
	for i, here := range values {
		all := make([]float64, in.here())
		copy(all[in[:first].here():], here)
		name := "constants"
		switch {
		case vectors != nil:
			name = vectors[i][0].Name()
		case of[0].Dim > 1:
			name = fmt.Sprintf("constants in component %d", i)
		}
		if parts < len(in) {
			name += in.in(first)
		}
		v.values, v.names = append(v.values, all), append(v.names, name)
	}
	return nil
}

// vectors returns the values here of an option's vectors, one part's after another's.
func (s *Solver) vectors(option string, in space, vectors [][]Vector) ([][]float64, error) {
	var list [][]float64
	for _, v := range vectors {
		if len(v) == 0 || !v[0].Made() {
			return nil, fmt.Errorf("%s: a vector is nil", option)
		}
		if len(v) != len(in) {
			return nil, fmt.Errorf("%s: a vector has %s, the unknowns have %d", option, problem.Count(len(v), "part"), len(in))
		}
		var all []float64
		for i, d := range v {
			values, err := s.partOf(option, in[i], d)
			if err != nil {
				return nil, err
			}
			all = append(all, values...)
		}
		list = append(list, all)
	}
	return list, nil
}

// partOf returns the values here of a part of a vector of an option.
func (s *Solver) partOf(option string, p Part, d Vector) ([]float64, error) {
	if err := d.Fits(s.what, option, p.Set, p.Dim); err != nil {
		return nil, err
	}
	values, err := entity.Reading[float64](d.Data)
	if err != nil {
		return nil, err
	}
	values = values[:p.Here()]
	bad, odd := "", entity.FindNotFinite(values)
	if odd >= 0 {
		bad = fmt.Sprintf("%s: %s holds %v", option, d.Name(), values[odd])
	}
	if bad, _, err = s.rt.Tell(odd >= 0, bad); err != nil {
		return nil, err
	}
	if bad != "" {
		return nil, errors.New(bad)
	}
	return values, nil
}

// constants returns the values here of the vectors that are one in one component and zero in the
// others.
func constants(p Part) [][]float64 {
	constants := make([][]float64, p.Dim)
	for i := range constants {
		constants[i] = make([]float64, p.Here())
		for k := i; k < len(constants[i]); k += p.Dim {
			constants[i][k] = 1
		}
	}
	return constants
}
