// Command program calls linked C: once, or for some seconds while the runtime does what it can to stacks.
package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
	"unsafe"

	"program/code"
)

const n = 1000

func main() {
	check()
	if len(os.Args) > 1 {
		limit, _ := time.ParseDuration(os.Args[1])
		stress(limit)
	}
	fmt.Println("ok")
}

func near(what string, i int, got, want float64) {
	if math.Abs(got-want) > 1e-13*math.Abs(want) {
		fmt.Println(what, i, got, want)
		os.Exit(1)
	}
}

// check compares each function with the same in Go.
func check() {
	x, y, which := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		x[i], y[i], which[i] = float64(i)+0.5, float64(n-i), int32(i%9)
	}
	size := int32(n)
	code.Axpy(unsafe.Pointer(&[]unsafe.Pointer{unsafe.Pointer(&y[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&size)}[0]))
	for i := range n {
		near("axpy", i, y[i], x[i]/3+float64(n-i)*0.7)
	}

	args := []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&which[0])}
	code.Pick(unsafe.Pointer(&args[0]), 1, 1)
	code.Pick(unsafe.Pointer(&args[0]), 7, 3)
	code.Pick(unsafe.Pointer(&args[0]), 2, n-1)
	for i := range n {
		v := float64(i) + 0.5
		if i >= 2 && i < n-1 {
			v = [9]float64{v + 1, v * v, 3 / v, v - 7.1, ((v*2.5+0)*0.125+1)*4 + 2, v * v * v, 1 / (v * v), -v, -v}[i%9]
		}
		near("pick", i, x[i], v)
	}

	z := []float64{1, 2, 3}
	args[0] = unsafe.Pointer(&z[0])
	code.Deep(unsafe.Pointer(&args[0]), 0, 3)
	for i := range z {
		near("deep", i, z[i], 512*float64(i+1)+511*512/2)
	}

	ended := int32(0)
	halves := []float64{8, 6, -1, 4}
	size = 4
	code.Leave(unsafe.Pointer(&[]unsafe.Pointer{unsafe.Pointer(&halves[0]), unsafe.Pointer(&size), unsafe.Pointer(&ended)}[0]))
	if want := [4]float64{4, 3, -1, 4}; [4]float64(halves) != want || ended != 1 {
		fmt.Println("leave", halves, ended)
		os.Exit(1)
	}

	var from, to [64]float64
	for i := range from {
		from[i] = float64(i)
	}
	code.Copy(unsafe.Pointer(&[]unsafe.Pointer{unsafe.Pointer(&to), unsafe.Pointer(&from)}[0]))
	if to != from {
		fmt.Println("copy", to)
		os.Exit(1)
	}
}

// grow calls f below n frames.
//
//go:noinline
func grow(n int, f func()) int {
	var pad [64]byte
	if n == 0 {
		f()
		return int(pad[0])
	}
	return grow(n-1, f) + int(pad[n%64])
}

// stress checks on fresh, small stacks, while the garbage collector runs, all stacks are traced, and each millisecond
// a profile is taken.
func stress(limit time.Duration) {
	var profile bytes.Buffer
	runtime.SetCPUProfileRate(1000)
	if err := pprof.StartCPUProfile(&profile); err != nil {
		panic(err)
	}
	end := time.Now().Add(limit)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; time.Now().Before(end); k++ {
				done := make(chan bool)
				go func() {
					grow((k*7+g)%40, func() {
						for range 20 {
							check()
						}
					})
					close(done)
				}()
				<-done
			}
		}()
	}
	trace := make([]byte, 1<<16)
	for time.Now().Before(end) {
		runtime.GC()
		runtime.Stack(trace, true)
	}
	wg.Wait()
	pprof.StopCPUProfile()
	if len(os.Args) > 2 {
		if err := os.WriteFile(os.Args[2], profile.Bytes(), 0o666); err != nil {
			panic(err)
		}
	}
}
