package op2_test

import (
	_ "embed"
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed example_args_test.go
var exampleArgsSource string

// cool lets a rod lose heat, and gain some where there is a source.
func cool(u *float64, source *float64) {
	*u *= 0.5
	if source != nil {
		*u += *source
	}
}

// An argument that only some calls have.
func ExampleArg_If() {
	rt := optest.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	points := rt.NewSet(3, "points")
	u, source := op2.NewDat(points, 1, []float64{8, 4, 2}, "u"), op2.NewDat(points, 1, []float64{0, 10, 0}, "source")
	cool := op2.Kernels(exampleArgsSource).Func(cool)
	for step := range 3 {
		if err := op2.ParLoop(cool, points, u.RW(), source.Read().If(step == 1)); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(optest.Must(u.DataRO()))
	// Output: [1 5.5 0.25]
}
