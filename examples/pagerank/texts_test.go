package main

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

func TestTexts(t *testing.T) {
	gputest.CheckTexts(t, "pagerank", func() {
		rt := optest.Must(op2.Open(op2.WithLog(nil)))
		defer rt.Close()
		if _, _, err := pageRank(rt, generate(100), 1e-3); err != nil {
			t.Fatal(err)
		}
	})
}
