package main

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "particles", func() {
		if err := run(5, 1, 3, 100, "", ""); err != nil {
			t.Fatal(err)
		}
	})
}
