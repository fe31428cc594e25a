package main

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "advection-diffusion", func() {
		rt := optest.Must(op2.Open(op2.WithLog(nil)))
		defer rt.Close()
		ignore := func(float64, *op2.Dat[float64]) error { return nil }
		if _, err := solve(rt, optest.Must(mesh.Rectangle(mesh.Triangle, 8, 8, 1, 1)), 2, ignore); err != nil {
			t.Fatal(err)
		}
	})
}
