package main

import (
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

// Against the solution on the plane: second order on the finest pair of meshes.
func TestSecondOrder(t *testing.T) {
	var errors []float64
	for _, n := range []int{20, 40, 80, 160} {
		rt, err := op2.Open()
		if err != nil {
			t.Fatal(err)
		}
		_, l2, err := solve(rt, op2.Must(mesh.Rectangle(mesh.Triangle, n, n, 1, 1)), n)
		if err != nil {
			t.Fatal(err)
		}
		if err := rt.Close(); err != nil {
			t.Fatal(err)
		}
		errors = append(errors, l2)
	}
	t.Logf("errors %.3e", errors)
	if order := math.Log2(errors[2] / errors[3]); order < 1.95 {
		t.Errorf("order %.3f, from errors %.3e", order, errors)
	}
}
