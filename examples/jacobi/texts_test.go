package main

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "jacobi", func() {
		if err := run(6, 2, ""); err != nil {
			t.Fatal(err)
		}
	})
}
