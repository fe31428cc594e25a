package main

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "stokes", func() {
		if err := run(settings{problem: "cavity", n: 4, viscosity: 1, folder: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
	})
}
