package main

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "tsunami", func() {
		rt := op2.Must(op2.Open(op2.WithLog(nil)))
		defer rt.Close()
		w := op2.Must(newWater(rt, op2.Must(readSea(0)), bed, calm))
		if err := w.advance(3); err != nil {
			t.Fatal(err)
		}
		if err := w.show.Compute(); err != nil {
			t.Fatal(err)
		}
	})
}
