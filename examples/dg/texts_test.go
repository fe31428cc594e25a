package main

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "dg", func() {
		for _, degree := range []int{2, 3} {
			rt := op2.Must(op2.Open(op2.WithLog(nil)))
			defer rt.Close()
			if _, _, err := wave(rt, op2.Must(unevenSquare(4)), degree, 0.05); err != nil {
				t.Fatal(err)
			}
		}
	})
}
