package main

import (
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "ocean", func() {
		if err := run(4, 3, 2, ""); err != nil {
			t.Fatal(err)
		}
	})
}
