package op2

import (
	"fmt"
	"reflect"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// RigidBodyModes returns the displacements that neither bend nor stretch anything, for coordinates
// x of an elastic body: in the plane two translations and a rotation, of dim 2, in space three of
// each, of dim 3. Multigrid for elasticity needs them: see [WithNearNullSpace]. After an error there is
// one, whose Err returns it.
func RigidBodyModes(x *Dat[float64]) []Vector[float64] {
	return core.Declare(core.Declaration{On: []*core.Runtime{x.dat().runtime()}, Enter: (*core.Runtime).EnterDataLazily},
		func() ([]Vector[float64], error) { return rigidBodyModes(x) },
		func(failed *core.Runtime) []Vector[float64] {
			return []Vector[float64]{(*Dat[float64])(core.InertDat(failed, x.Dim(), reflect.TypeFor[float64](), "rigid body modes"))}
		})
}

func rigidBodyModes(x *Dat[float64]) ([]Vector[float64], error) {
	if x == nil {
		return nil, fmt.Errorf("op2: RigidBodyModes: the dat of coordinates is nil")
	}
	if err := x.Err(); err != nil {
		return nil, err
	}
	if x.dat().dim() != 2 && x.dat().dim() != 3 {
		return nil, &problem.ShapeError{What: x.dat().describe(), Msg: fmt.Sprintf("RigidBodyModes takes coordinates in 2 or 3 dimensions, these have %d", x.dat().dim())}
	}
	at, err := core.Reading[float64](x.data())
	if err != nil {
		return nil, err
	}
	dim, n := x.dat().dim(), x.dat().set().Size()
	// Rotate about the center, since rotations about a distant point are nearly translations.
	center := make([]float64, dim)
	for i, v := range at[:n*dim] {
		center[i%dim] += v / float64(x.dat().set().Whole())
	}
	for i := range center {
		if err := x.dat().set().Sum(&center[i]); err != nil {
			return nil, err
		}
	}
	var modes []Vector[float64]
	add := func(name string, displacement func(place, u []float64)) {
		values, place := make([]float64, n*dim), make([]float64, dim)
		for e := range n {
			for i := range dim {
				place[i] = at[e*dim+i] - center[i]
			}
			displacement(place, values[e*dim:(e+1)*dim])
		}
		var d *Dat[float64]
		if err == nil {
			if d, err = newDat[float64](x.dat().set(), dim, nil, name); err == nil {
				copy(core.Overwriting[float64](d.data()), values)
			}
		}
		modes = append(modes, d)
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
