package solver

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// RigidBodyModes returns the displacements that neither bend nor stretch anything, for coordinates
// x of an elastic body: in the plane two translations and a rotation, of dim 2, in space three of
// each, of dim 3. Multigrid for elasticity needs them: see [WithNearNullSpace]. After an error there is
// one, whose Err returns it.
func RigidBodyModes(x *op2.Dat[float64]) []op2.Vector[float64] {
	var on []*entity.Runtime
	if x != nil {
		on = append(on, dataOf(x).Runtime())
	}
	return entity.Declare(entity.Declaration{On: on, Enter: (*entity.Runtime).EnterDataLazily},
		func() ([]op2.Vector[float64], error) { return rigidBodyModes(x) },
		func(failed *entity.Runtime) []op2.Vector[float64] {
			return []op2.Vector[float64]{(*op2.Dat[float64])(entity.InertDat(failed, x.Dim(), loop.TypeFor[float64](), "rigid body modes"))}
		})
}

func rigidBodyModes(x *op2.Dat[float64]) ([]op2.Vector[float64], error) {
	if x == nil {
		return nil, fmt.Errorf("op2: RigidBodyModes: the dat of coordinates is nil")
	}
	if err := x.Err(); err != nil {
		return nil, err
	}
	if x.Dim() != 2 && x.Dim() != 3 {
		return nil, &problem.ShapeError{What: dataOf(x).Describe(), Msg: fmt.Sprintf("RigidBodyModes takes coordinates in 2 or 3 dimensions, these have %d", x.Dim())}
	}
	at, err := entity.Reading[float64](dataOf(x))
	if err != nil {
		return nil, err
	}
	set, dim := dataOf(x).Set(), x.Dim()
	n := set.Size()
	// Rotate about the center, since rotations about a distant point are nearly translations.
	center := make([]float64, dim)
	for i, v := range at[:n*dim] {
		center[i%dim] += v / float64(set.Whole())
	}
	for i := range center {
		if err := set.Sum(&center[i]); err != nil {
			return nil, err
		}
	}
	var modes []op2.Vector[float64]
	add := func(name string, displacement func(place, u []float64)) {
		values, place := make([]float64, n*dim), make([]float64, dim)
		for e := range n {
			for i := range dim {
				place[i] = at[e*dim+i] - center[i]
			}
			displacement(place, values[e*dim:(e+1)*dim])
		}
		var d *entity.Data
		if err == nil {
			if d, err = entity.NewDat[float64](set, dim, nil, name); err == nil {
				copy(entity.Overwriting[float64](d), values)
				d.Carry()
			}
		}
		modes = append(modes, (*op2.Dat[float64])(d))
	}
	for i := range dim {
		add(fmt.Sprintf("translation %d", i), func(_, u []float64) { u[i] = 1 })
	}
	for i := range dim {
		for j := range i {
			add(fmt.Sprintf("rotation %d-%d", j, i), func(place, u []float64) { u[j], u[i] = -place[i], place[j] })
		}
	}
	return modes, err
}
