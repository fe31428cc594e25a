package distribute

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// checkOwnerDats returns an error unless the dats have a whole number for each element of different sets.
func checkOwnerDats(rt *entity.Runtime, owners []*entity.Data) error {
	if len(owners) == 0 {
		return errors.New("op2: PartitionBy: there are no owners\n  hint: Partition finds them")
	}
	return checkNumbers(rt, "PartitionBy", "owners", "a rank, one whole number,", owners, loop.Scalar.Integer)
}

// checkNumbers returns an error unless the dats have one number of a type for each element of different sets.
func checkNumbers(rt *entity.Runtime, verb, plural, needed string, dats []*entity.Data, is func(loop.Scalar) bool) error {
	var sets []*entity.Set
	for i, d := range dats {
		if d == nil {
			return fmt.Errorf("op2: %s: %s %d are nil", verb, plural, i+1)
		}
		what := verb + ": dat " + d.Name()
		switch s := d.Set(); {
		case d.Runtime().Failed() != nil:
			return entity.CheckDeclared(what, d.Runtime())
		case d.Runtime() != rt:
			return fmt.Errorf("op2: %s belongs to %s, not to %s", what, d.Runtime().Besides(rt), rt.Besides(d.Runtime()))
		case d.Composite() != nil || !is(d.Scalar()) || d.Dim() != 1:
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s is needed for each element, it has %d %s", needed, d.Dim(), d.TypeName())}
		case s.IsReady():
			return fmt.Errorf("op2: %s: its set %s came distributed: its elements have their ranks", what, s.Name())
		case slices.Contains(sets, s):
			return fmt.Errorf("op2: %s: %s of %s were given already", what, plural, s.Name())
		}
		sets = append(sets, d.Set())
	}
	return nil
}

// givenOwners returns the owners that the program has given, of the elements that this rank has declared.
func givenOwners(rt *entity.Runtime) (map[*entity.Set][]int32, error) {
	given := map[*entity.Set][]int32{}
	for _, d := range rt.Mesh().Owners {
		if err := d.Bring(false); err != nil {
			return nil, err
		}
		ranks := make([]int32, d.Set().Total())
		for e, rank := range d.Float64s() {
			if rank < 0 || rank >= float64(rt.Ranks()) {
				return nil, &problem.ShapeError{What: "PartitionBy: dat " + d.Name(), Msg: fmt.Sprintf("the owner of element %d of %s is %.0f, there are %d ranks",
					d.Set().Known(e), d.Set().Name(), rank, rt.Ranks()), Hint: "ranks are numbered from 0"}
			}
			ranks[e] = int32(rank)
		}
		given[d.Set()] = ranks
	}
	return given, nil
}
