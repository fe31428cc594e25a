package jit

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestKeyTellsPartsApart(t *testing.T) {
	lists := [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"b", "a"}}
	seen := map[key][]string{}
	for _, parts := range lists {
		k := newKey(parts...)
		if other, ok := seen[k]; ok {
			t.Errorf("%q and %q have one key", parts, other)
		}
		seen[k] = parts
	}
	if got := newKey("op2").String(); len(got) != 64 || !strings.HasPrefix(got, newKey("op2").short()) {
		t.Errorf("key %s, short %s", got, newKey("op2").short())
	}
}

// Everything that changes the machine code changes the key.
func TestKeyCovers(t *testing.T) {
	cc := needCompiler(t)
	wrapper := script(t, "exec '"+cc+"' \"$@\"\n")
	base := Config{CC: wrapper, CacheDir: t.TempDir()}
	unit := adder("flux", 1)
	keyOf := func(c Config, u Unit) key {
		b := newBenchWith(t, c, newRegistry(1))
		b.registry.slots <- struct{}{} // nothing is compiled
		return b.Start(u).key
	}
	want := keyOf(base, unit)
	if keyOf(base, unit) != want {
		t.Fatal("the same gives two keys")
	}
	with := func(change func(*Config, *Unit)) key {
		c, u := base, unit
		u.Flags = slices.Clone(u.Flags)
		change(&c, &u)
		return keyOf(c, u)
	}
	changed := map[string]key{
		"name":         with(func(c *Config, u *Unit) { u.Name = "flow" }),
		"source":       with(func(c *Config, u *Unit) { u.Source += " " }),
		"flags":        with(func(c *Config, u *Unit) { u.Flags = append(u.Flags, "-g") }),
		"order":        with(func(c *Config, u *Unit) { u.Flags = []string{"-g", "-O1"} }),
		"CFlags":       with(func(c *Config, u *Unit) { c.CFlags = []string{"-g3"} }),
		"compiler":     with(func(c *Config, u *Unit) { c.CC = cc }),
		"CC arguments": with(func(c *Config, u *Unit) { c.CC += " -m64" }),
	}
	for _, name := range compilerVariables {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "/somewhere")
			if keyOf(base, unit) == want {
				t.Errorf("the variable %s does not change the key", name)
			}
		})
	}
	setAge(t, wrapper, time.Minute)
	changed["time of the compiler's file"] = keyOf(base, unit)
	writeProgram(t, wrapper, "#!/bin/sh\n# updated\nexec '"+cc+"' \"$@\"\n")
	setAge(t, wrapper, time.Minute)
	changed["compiler's file"] = keyOf(base, unit)

	seen := map[key]string{want: "nothing"}
	for what, k := range changed {
		if other, ok := seen[k]; ok {
			t.Errorf("a change of %s and of %s give one key", what, other)
		}
		seen[k] = what
	}

	// Where the cache is does not matter to what is in it.
	if with(func(c *Config, u *Unit) { c.CacheDir = t.TempDir() }) != keyOf(base, unit) {
		t.Error("the folder changes the key")
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"res_calc":              "res_calc",
		"":                      "unit",
		"../../etc/passwd":      "______etc_passwd",
		"-o x":                  "_o_x",
		"größe":                 "gr__e",
		strings.Repeat("x", 99): strings.Repeat("x", 40),
	} {
		if got := fileName(name); got != want {
			t.Errorf("fileName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestCPUIdentity(t *testing.T) {
	first, brand := cpuIdentity()
	if first == "" {
		t.Error("empty")
	}
	time.Sleep(20 * time.Millisecond)
	if again, _ := cpuIdentity(); again != first {
		t.Errorf("it changed from\n%s\nto\n%s", first, again)
	}
	if strings.Contains(first, "MHz") || strings.Contains(first, "microcode") {
		t.Errorf("it holds what may change: %s", first)
	}
	if brand != "" && !strings.HasPrefix(Processor(), strings.Fields(brand)[0]) {
		t.Errorf("%s does not begin with %s", Processor(), brand)
	}
}

func TestPickVariables(t *testing.T) {
	got := pickVariables([]string{"A=1", "CPATHS=x", "B=2", "A=3", "CPATH="}, []string{"CPATH", "A", "C"})
	if want := []string{"CPATH=", "A=3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
