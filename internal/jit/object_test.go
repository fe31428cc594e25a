package jit

import (
	"strings"
	"testing"
)

func TestObject(t *testing.T) {
	b, err := New(Config{CacheDir: t.TempDir()})
	if err != nil {
		t.Skip(err)
	}
	o, err := b.Object(Unit{Name: "sum", Source: "#include <math.h>\nint sum(int a, int b) { return a + b + OWN; }", Flags: []string{"-O2"}, Headers: map[string]string{"math.h": "#define OWN 1\n"}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(o.Image), "sum") || !strings.Contains(o.Stack, "sum\t") {
		t.Errorf("an object of %d bytes, stack %q", len(o.Image), o.Stack)
	}
	if _, err := b.Object(Unit{Name: "wrong", Source: "int f(void) { return x; }"}); err == nil || !strings.Contains(err.Error(), "compiling wrong: ") {
		t.Error(err)
	}
}
