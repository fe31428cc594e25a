package host

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
)

// A library is released when no loop uses it, while its runtime is open; one that a loop uses stays
// until Close.
func TestLibrariesAreReleased(t *testing.T) {
	b, err := Sequential.Open(backend.Config{CacheDir: t.TempDir()})
	if errors.Is(err, backend.ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	e := b.(*engine)
	load := func(n int) *library {
		lib, err := e.code(&e.own, &codegen.Program{Name: "f", Text: fmt.Sprintf("void f(void) {} int n = %d;", n), Symbol: "f"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := lib.ready(); err != nil {
			t.Fatal(err)
		}
		return lib
	}
	instance := func(h *held) any {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.instance == nil {
			return nil
		}
		return h.instance
	}
	kept, dropped := load(1), load(2).held
	if load(1) != kept {
		t.Error("the same source gives another library")
	}
	for range 10_000 {
		if runtime.GC(); instance(dropped) == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if instance(dropped) != nil || instance(kept.held) == nil {
		t.Errorf("instances: dropped %v, kept %v", instance(dropped), instance(kept.held))
	}
	if e.loaded.forgetUnreachable(); e.loaded.alive != 1 {
		t.Errorf("%d sources are known, want 1", e.loaded.alive)
	}
	if err := e.Close(); err != nil || instance(kept.held) != nil {
		t.Errorf("after Close: %v, instance %v", err, instance(kept.held))
	}
	runtime.KeepAlive(kept)
}
