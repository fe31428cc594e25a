// Command bench measures op2 against hand-written C and against the memory bandwidth, all in one
// run, since times on one machine and day say little and ratios say much.
//
//	go run ./bench              # a minute or two
//	go run ./bench -quick       # small mesh only, some seconds
//	go run ./bench -matrices    # sparse matrices only
//	go run ./bench -solvers     # solvers only, against PETSc where that is installed
//	go run ./bench -operations  # operations only, generated against plain C
//	go run ./bench -devices     # loops on devices, against copies there and the host
//	go run ./bench -kernels     # the corpus of kernels, with packs and without, and on go
//	go run ./bench -tuning      # the corpus of kernels, untuned and tuned
//	go run ./bench -programs    # airfoil, aero, dg, tsunami and matrices on each backend, untuned and tuned
//	go run ./bench -busy        # backends next to other busy processes
//	go run ./bench -chains      # chains of loops: fused, in tiles, and loop by loop
//	go run ./bench -structs     # airfoil with structs, against airfoil with arrays
//	go run ./bench -ranks       # airfoil on two processes, its set-up, and what slow messages cost
//	go run ./bench -setup       # the time and the memory that meshes need to be distributed
//	go run ./bench -fronts      # a load that moves through a mesh, with Rebalance and without
//	go run ./bench -translated  # code that is made ahead of time, against the same compiled
//
// The C is in reference/, compiled with the same flags as generated code. docs/performance.md
// explains the figures.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/jit"
)

// settings are the command's flags.
type settings struct {
	quick, matrices, solvers bool
	operations               bool
	rounds                   int
	start, busy, spin        bool
	chains                   bool
	ranks, setUps, structs   bool
	fronts                   bool
	translated               bool
	share                    string
	overlap                  bool

	kernels bool
	tuning  bool
	only    string

	programs bool
	tuned    programSettings
	assemble int

	devices  bool
	describe bool
	device   deviceSettings
	cells    string
}

func main() {
	var s settings
	flag.BoolVar(&s.quick, "quick", false, "only the small mesh, fewer rounds")
	flag.BoolVar(&s.matrices, "matrices", false, "only matrices")
	flag.BoolVar(&s.solvers, "solvers", false, "only solvers")
	flag.BoolVar(&s.operations, "operations", false, "only operations")
	flag.BoolVar(&s.kernels, "kernels", false, "only the corpus of kernels")
	flag.BoolVar(&s.tuning, "tuning", false, "only the corpus of kernels, untuned and tuned")
	flag.BoolVar(&s.programs, "programs", false, "only whole programs on each backend, untuned and tuned")
	flag.DurationVar(&s.tuned.budget, "budget", 20*time.Second, "with -programs: for tuning each on each backend")
	flag.StringVar(&s.tuned.backends, "backends", "sequential,openmp,go,opencl", "with -programs: these")
	flag.StringVar(&s.tuned.compilers, "compilers", ",clang", "with -programs: the C compilers of sequential and openmp; an empty name is what op2 finds, with others to choose from")
	flag.BoolVar(&s.tuned.learns, "learn", false, "with -programs: tune by OP2_TUNE=learn, in place of op2 tune")
	flag.BoolVar(&s.tuned.bad, "bad", false, "with -programs: tune from blocks of 64, one thread and the wrong layout")
	flag.IntVar(&s.assemble, "assemble", 0, "internal: assemble a matrix again and again")
	flag.StringVar(&s.only, "only", "", "with -kernels, -tuning and -programs: those whose names hold this; a program's is \"dg small openmp\"")
	flag.BoolVar(&s.devices, "devices", false, "only devices")
	flag.BoolVar(&s.describe, "describe", false, "say which devices -devices would measure")
	flag.StringVar(&s.device.only, "backend", "", "with -devices: cuda or opencl (default each that there is)")
	flag.StringVar(&s.cells, "cells", "", "with -devices: cells of the meshes, as 43200,720000 (default as suits the device)")
	flag.StringVar(&s.device.ways, "ways", "", "with -devices: only these strategies and layouts, as auto,staged,atomic/soa")
	flag.DurationVar(&s.device.limit, "limit", 0, "with -devices: begin nothing new after this time")
	flag.BoolVar(&s.chains, "chains", false, "only chains of loops, against loop by loop")
	flag.BoolVar(&s.busy, "busy", false, "only backends next to busy processes")
	flag.BoolVar(&s.spin, "spin", false, "internal: be a busy process")
	flag.BoolVar(&s.ranks, "ranks", false, "only several ranks")
	flag.BoolVar(&s.setUps, "setup", false, "only the set-up of several ranks")
	flag.BoolVar(&s.fronts, "fronts", false, "only a load that moves through a mesh")
	flag.BoolVar(&s.structs, "structs", false, "only structs against arrays")
	flag.BoolVar(&s.translated, "translated", false, "only translated code")
	flag.StringVar(&s.share, "share", "", "internal: be a process of -ranks")
	flag.BoolVar(&s.overlap, "overlap", false, "internal: be a process of -ranks that computes while messages are under way")
	flag.IntVar(&s.rounds, "rounds", 0, "rounds of each measurement (default 15, with -quick and -devices 7)")
	flag.BoolVar(&s.start, "start", false, "internal: time one start of the airfoil program and print it")
	flag.Parse()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(s settings) error {
	if s.start {
		return timeStart()
	}
	if s.spin {
		spin()
		return nil
	}
	if s.assemble > 0 {
		return assembleOften(s.assemble)
	}
	if s.share != "" {
		return runShare(s.share)
	}
	if s.overlap {
		return runOverlap(s.rounds)
	}
	if s.describe {
		s.device.describe = true
		return devices(os.Stdout, s.device)
	}
	rounds := s.rounds
	if rounds <= 0 {
		rounds = 15
		if s.quick || s.devices {
			rounds = 7
		}
	}
	if s.ranks {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		if s.quick {
			return ranks(50, 80, 200, 3)
		}
		return ranks(400, 600, 20, rounds)
	}
	if s.setUps {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		return setUps(400, 600, rounds)
	}
	if s.fronts {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		return fronts(100, rounds)
	}
	if s.structs {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		if s.quick {
			return withStructs(50, 80, rounds)
		}
		return withStructs(96, 150, rounds)
	}
	if s.chains {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		sizes := [][2]int{{50, 80}, {400, 600}, {1200, 1800}}
		if s.quick {
			sizes = sizes[:2]
		}
		return chains(sizes, rounds)
	}
	if s.busy {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		i, j := 400, 600
		if s.quick {
			i, j = 50, 80
		}
		return busy(152, i, j, rounds)
	}
	if s.translated {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		return translated(s.quick, rounds)
	}
	if s.devices {
		var err error
		if s.device.cells, err = parseCells(s.cells); err != nil {
			return err
		}
		s.device.turns, s.device.quick = rounds, s.quick
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		return devices(os.Stdout, s.device)
	}
	if s.programs {
		fmt.Printf("%s, %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
		s.tuned.only = s.only
		return programs(os.Stdout, s.tuned, rounds, s.quick)
	}
	if s.kernels || s.tuning {
		elements := 20_000
		if s.quick {
			elements = 2000
		}
		if s.tuning {
			return tunedCorpus(os.Stdout, elements, rounds, s.only)
		}
		return corpus(os.Stdout, elements, rounds, s.only)
	}
	c, err := newReference()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s/%s, %d processors, %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), c.compiler)
	triangles := 707 // two times its square
	if s.quick {
		triangles = 200
	}
	if s.matrices {
		return c.matrices(triangles, rounds)
	}
	if s.solvers {
		return massSolvers(triangles, rounds)
	}
	if s.operations {
		return c.operations(rounds)
	}
	if err := dispatch(); err != nil {
		return err
	}
	if err := starts(rounds); err != nil {
		return err
	}
	if err := translated(s.quick, rounds); err != nil {
		return err
	}
	sizes := [][2]int{{50, 80}, {400, 600}}
	if s.quick {
		sizes = sizes[:1]
	}
	for _, ij := range sizes {
		if err := c.airfoil(ij[0], ij[1], rounds); err != nil {
			return err
		}
	}
	if err := c.matrices(triangles, rounds); err != nil {
		return err
	}
	if err := massSolvers(triangles, rounds); err != nil {
		return err
	}
	largest := sizes[len(sizes)-1]
	return locality(largest[0], largest[1], rounds)
}

// reference is the C of the folder reference, compiled like loops.
type reference struct {
	compiler string
	instance *jit.Instance
	triad    *jit.Instance
	matrix   *jit.Instance

	operation *jit.Instance
}

func newReference() (*reference, error) {
	b, err := jit.New(jit.Config{CC: os.Getenv("OP2_CC"), CacheDir: os.Getenv("OP2_CACHE_DIR")})
	if err != nil {
		return nil, err
	}
	flags := append(host.Flags(b.Compiler().Family), userFlags()...)
	r := &reference{compiler: b.Compiler().Version}
	if r.instance, err = b.Start(jit.Unit{Name: "reference", Source: airfoilSource, Flags: flags}).Acquire(); err != nil {
		return nil, err
	}
	if r.matrix, err = b.Start(jit.Unit{Name: "mass", Source: massSource, Flags: flags}).Acquire(); err != nil {
		return nil, err
	}
	if r.operation, err = b.Start(jit.Unit{Name: "operations", Source: operationsSource, Flags: flags}).Acquire(); err != nil {
		return nil, err
	}
	r.triad, err = b.Start(jit.Unit{Name: "triad", Source: triadSource, Flags: flags}).Acquire()
	return r, err
}
