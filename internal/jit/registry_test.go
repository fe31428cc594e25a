package jit

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// Unused images, mappings and descriptors are dropped when there are too many. What is held stays,
// and what is needed again comes from the disk cache.
func TestUnusedAreDropped(t *testing.T) {
	needCompiler(t)
	const most, units = 2, 6
	r := newRegistry(runtime.NumCPU())
	r.most = most
	b := newBenchWith(t, Config{CacheDir: t.TempDir()}, r)
	acquire := func(u Unit) *Instance {
		t.Helper()
		i, err := b.Start(u).Acquire()
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	held := acquire(adder("held", 1))
	resident := adder("resident", 1)
	resident.Resident = true
	acquire(resident).Release()
	for n := range units {
		i := acquire(adder("dropped", n))
		add(t, i, 0)
		i.Release()
		if err := b.Start(adder("waited_for", n)).Wait(); err != nil { // and never acquired
			t.Fatal(err)
		}
	}
	if len(r.builds) != most+2 || len(r.unused) != most {
		t.Errorf("%d builds are kept, want %d; %d are unused, want %d", len(r.builds), most+2, len(r.unused), most)
	}
	if runtime.GOOS == "linux" {
		if n := loaded(t, "dropped"); n > most {
			t.Errorf("%d dropped libraries are loaded still", n)
		}
		if held, resident := loaded(t, "held"), loaded(t, "resident"); held != 1 || resident != 1 {
			t.Errorf("of the libraries that stay %d and %d are loaded", held, resident)
		}
	}
	if _, calls := add(t, held, 0); calls != 1 {
		t.Errorf("call %d of the instance that is held, want 1", calls)
	}
	for n := range units { // descriptors, and so names, are used again
		i := acquire(adder("dropped", n))
		if sum, calls := add(t, i, 0); sum != float64(n) || !i.build.Found() {
			t.Errorf("unit %d adds %v at call %d; found in the cache: %t", n, sum, calls, i.build.Found())
		}
		i.Release()
	}
}

// loaded counts the libraries of a unit that the process has mapped.
func loaded(t *testing.T, name string) int {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for line := range strings.Lines(string(maps)) {
		if fields := strings.Fields(line); len(fields) > 5 && strings.Contains(fields[5], name+"-") {
			files[fmt.Sprint(fields[4])] = true // inode
		}
	}
	return len(files)
}
