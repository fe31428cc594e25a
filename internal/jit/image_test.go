package jit

import (
	"strings"
	"testing"
)

func TestCheckImage(t *testing.T) {
	needCompiler(t)
	if !imagesAreELF {
		t.Skip("not ELF")
	}
	b := newBench(t, Config{CacheDir: t.TempDir()})
	build := b.Start(adder("flux", 1))
	if err := build.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := checkImage(build.image); err != nil {
		t.Error(err)
	}
	for n := 0; n < len(build.image); n += 97 {
		if checkImage(build.image[:n]) == nil {
			t.Errorf("the first %d of %d bytes pass", n, len(build.image))
		}
	}
	for _, text := range []string{"#!/bin/sh\n", strings.Repeat("int x;\n", 100)} {
		if checkImage([]byte(text)) == nil {
			t.Errorf("%.20q passes", text)
		}
	}
}
