// Package stream measures the bandwidth of the memory, which loops are held against.
package stream

import (
	"slices"
	"sync"
	"time"
)

// The time that Triad measures, and the rounds that it has at least.
const (
	enough = 100 * time.Millisecond
	rounds = 5
)

// Triad returns the bandwidth of the STREAM triad (McCalpin 1995) in GB/s (1e9 bytes): the best of several rounds over
// three arrays of that many bytes together, on so many goroutines, which counts each array once, as STREAM does.
func Triad(bytes, threads int) float64 {
	n := max(1024, bytes/24/threads)
	parts := make([][3][]float64, threads)
	all := func(f func(a, b, c []float64)) {
		var group sync.WaitGroup
		for _, p := range parts {
			group.Go(func() { f(p[0], p[1], p[2]) })
		}
		group.Wait()
	}
	for i := range parts {
		parts[i] = [3][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
	}
	all(func(a, b, c []float64) { // which also puts each part into the memory next to a thread
		for i := range b {
			a[i], b[i], c[i] = 0, 1, 2
		}
	})
	var times []time.Duration
	repeat := max(1, 2_000_000/n)
	for start := time.Now(); len(times) < rounds || time.Since(start) < enough; {
		round := time.Now()
		all(func(a, b, c []float64) {
			for range repeat {
				triad(a, b, c)
			}
		})
		times = append(times, time.Since(round))
	}
	return float64(24*n*threads*repeat) / slices.Min(times).Seconds() / 1e9
}

// triad goes through four parts of the arrays at the same time, a cache line of each after the other. Without vector
// instructions, more of the memory is then on its way at once: what limits the loop is to be the memory.
func triad(a, b, c []float64) {
	const line = 8
	part := len(a) / 4 / line * line
	for i := 0; i < part; i += line {
		for p := i; p < 4*part; p += part {
			x, y, z := a[p:p+line:p+line], b[p:p+line:p+line], c[p:p+line:p+line]
			x[0], x[1], x[2], x[3] = y[0]+3*z[0], y[1]+3*z[1], y[2]+3*z[2], y[3]+3*z[3]
			x[4], x[5], x[6], x[7] = y[4]+3*z[4], y[5]+3*z[5], y[6]+3*z[6], y[7]+3*z[7]
		}
	}
	for i := 4 * part; i < len(a); i++ {
		a[i] = b[i] + 3*c[i]
	}
}
