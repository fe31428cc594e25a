package main

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "tsunami", func() {
		rt := optest.Must(op2.Open(op2.WithLog(nil)))
		defer rt.Close()
		w := optest.Must(newWater(rt, optest.Must(readSea(0)), bed, calm))
		if err := w.advance(3); err != nil {
			t.Fatal(err)
		}
		if err := w.show.Compute(); err != nil {
			t.Fatal(err)
		}
	})
}
