package main

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "elasticity", func() {
		if err := run(settings{n: 1, solver: "native"}); err != nil {
			t.Fatal(err)
		}
	})
}
