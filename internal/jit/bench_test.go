package jit

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// airfoilUnits returns five units about as large as the loops of a small program.
func airfoilUnits() (units []Unit) {
	for n, name := range []string{"save_soln", "adt_calc", "res_calc", "bres_calc", "update"} {
		u := adder(name, n)
		u.Source += strings.Repeat("/* as long as a wrapper with its kernel and its tables of arguments */\n", 120)
		u.Flags = []string{"-O3", "-march=native", "-fwrapv"}
		units = append(units, u)
	}
	return units
}

// BenchmarkSecondStart measures the start of a program whose loops are all in the disk cache: New,
// and five units from Start to Symbol. It also measures, once, the same with an empty cache.
// Nothing is ever unloaded, so keep the rounds few:
//
//	go test -run '^$' -bench SecondStart -benchtime 100x ./internal/jit
func BenchmarkSecondStart(b *testing.B) {
	needCompiler(b)
	dir := b.TempDir()
	start := func() {
		builder, err := newBuilder(Config{CacheDir: dir}, newRegistry(runtime.NumCPU()))
		if err != nil {
			b.Fatal(err)
		}
		var builds []*Build
		for _, u := range airfoilUnits() {
			builds = append(builds, builder.Start(u))
		}
		for _, build := range builds {
			i, err := build.Acquire()
			if err != nil {
				b.Fatalf("%+v", err)
			}
			if _, err := i.Symbol("wrap"); err != nil {
				b.Fatal(err)
			}
		}
	}
	before := time.Now()
	start()
	first := time.Since(before)
	b.ResetTimer()
	for range b.N {
		start()
	}
	second := b.Elapsed() / time.Duration(b.N)
	b.ReportMetric(first.Seconds()*1e3, "ms/first-start")
	b.ReportMetric(first.Seconds()/second.Seconds(), "first/second")
}

// BenchmarkNew measures New alone.
func BenchmarkNew(b *testing.B) {
	needCompiler(b)
	dir := b.TempDir()
	for b.Loop() {
		if _, err := newBuilder(Config{CacheDir: dir}, newRegistry(2)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemoryHit measures Start, Acquire and Release of what the process has already loaded.
func BenchmarkMemoryHit(b *testing.B) {
	needCompiler(b)
	builder, err := newBuilder(Config{CacheDir: b.TempDir()}, newRegistry(2))
	if err != nil {
		b.Fatal(err)
	}
	u := airfoilUnits()[0]
	if err := builder.Start(u).Wait(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(u.Source)))
	for b.Loop() {
		i, err := builder.Start(u).Acquire()
		if err != nil {
			b.Fatal(err)
		}
		i.Release()
	}
}
