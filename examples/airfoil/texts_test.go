package main

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "airfoil", func() {
		if err := run(t.Context(), small(t)); err != nil {
			t.Fatal(err)
		}
	})
}
