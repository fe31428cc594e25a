//go:build (darwin || freebsd || linux || netbsd) && !android && !faketime

package jit

import (
	"errors"
	"runtime"
	"testing"
)

func TestManyInstances(t *testing.T) {
	needCompiler(t)
	for _, place := range []struct {
		name string
		open func(s store, image []byte) (*library, error)
	}{
		{"memory", func(s store, image []byte) (*library, error) { return openInMemory("many.so", image) }},
		{"file", func(s store, image []byte) (*library, error) { return s.openTempFile(t.TempDir(), "many.so", image) }},
	} {
		t.Run(place.name, func(t *testing.T) {
			b := newBench(t, Config{CacheDir: t.TempDir()})
			build := b.Start(adder("many", 1))
			if err := build.Wait(); err != nil {
				t.Fatal(err)
			}
			for n := range 50 {
				l, err := place.open(b.store, build.image)
				if errors.Is(err, errors.ErrUnsupported) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				if _, calls := add(t, &Instance{build, l}, 0); calls != 1 {
					t.Fatalf("instance %d: call %d, want 1", n, calls)
				}
				runtime.GC() // no finalizer may close the descriptor whose number is in the library's name
			}
		})
	}
}
