// Command bench measures op2 against hand-written C and against the memory's
// bandwidth, all in one run, since times on one machine and day say little and
// ratios much.
//
//	go run ./bench              # a minute or two
//	go run ./bench -quick       # small mesh only, some seconds
//	go run ./bench -matrices    # sparse matrices only
//	go run ./bench -solvers     # solvers only, against PETSc where that is installed
//
// The C is in reference/, compiled with the flags that generated code is compiled
// with. docs/performance.md explains the figures.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/jit"
)

func main() {
	quick := flag.Bool("quick", false, "only the small mesh, fewer rounds")
	matrices := flag.Bool("matrices", false, "only matrices")
	solvers := flag.Bool("solvers", false, "only solvers")
	rounds := flag.Int("rounds", 0, "rounds of each measurement (default 15, with -quick 7)")
	start := flag.Bool("start", false, "internal: time one start of the airfoil program and print it")
	flag.Parse()
	if err := run(*quick, *matrices, *solvers, *rounds, *start); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(quick, matrices, solvers bool, rounds int, start bool) error {
	if start {
		return timeStart()
	}
	if rounds <= 0 {
		rounds = 15
		if quick {
			rounds = 7
		}
	}
	c, err := newReference()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s/%s, %d processors, %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), c.compiler)
	triangles := 707 // two times its square
	if quick {
		triangles = 200
	}
	if matrices {
		return c.matrices(triangles, rounds)
	}
	if solvers {
		return massSolvers(triangles, rounds)
	}
	if err := dispatch(); err != nil {
		return err
	}
	if err := starts(rounds); err != nil {
		return err
	}
	sizes := [][2]int{{50, 80}, {400, 600}}
	if quick {
		sizes = sizes[:1]
	}
	for _, s := range sizes {
		if err := c.airfoil(s[0], s[1], rounds); err != nil {
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

// reference is the C of the folder reference, compiled as loops are.
type reference struct {
	compiler string
	instance *jit.Instance
	triad    *jit.Instance
	matrix   *jit.Instance
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
	r.triad, err = b.Start(jit.Unit{Name: "triad", Source: triadSource, Flags: flags}).Acquire()
	return r, err
}
