package main

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "dg", func() {
		for _, degree := range []int{2, 3} {
			rt := optest.Must(op2.Open(op2.WithLog(nil)))
			defer rt.Close()
			if _, _, err := wave(rt, optest.Must(unevenSquare(4)), degree, 0.05); err != nil {
				t.Fatal(err)
			}
		}
	})
}
