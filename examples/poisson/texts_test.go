package main

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "poisson", func() {
		rt := optest.Must(op2.Open(op2.WithLog(nil)))
		defer rt.Close()
		if _, _, err := solve(rt, optest.Must(mesh.Rectangle(mesh.Triangle, 8, 8, 1, 1))); err != nil {
			t.Fatal(err)
		}
	})
}
