// Package conformance is the suite that every backend passes: it compares what loops compute with
// plain loops over plain slices, which share no code with the library. Values are small integers, of
// whatever type, so that sums are exact in any order and results must be equal; otherwise the
// tolerance is stated.
//
// The tests of this package run it for all backends of the registry. The author of a new one adds
// it there, or calls Run with a Config for it:
//
//	func TestMain(m *testing.M) { optest.Main(m) }
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, conformance.Config{Name: "mine", Options: []op2.Option{op2.WithBackend("mine")}})
//	}
package conformance

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// The source files of the suite's kernels, for the backends that translate them.
var (
	//go:embed kernels.go
	kernelSource string
	//go:embed types.go
	typesSource string

	kernels = op2.Kernels(kernelSource, typesSource, matSource, anyDimSource)
)

// consts are the parts of the suite that change package variables which kernels read: parallel
// configurations take turns.
var (
	consts           = []string{"consts", "c consts"}
	packageVariables sync.Mutex
)

// part is one of the suite, named as its subtest.
type part struct {
	name string
	run  func(*testing.T, optest.Opener)
}

var parts = []part{
	{"types", conformTypes},
	{"values", conformValues},
	{"reduce", conformReduce},
	{"dims", conformDims},
	{"arities", conformArities},
	{"any dim", conformAnyDim},
	{"most arguments", conformMost},
	{"arity one", conformArityOne},
	{"sizes", conformSizes},
	{"inc", conformInc},
	{"repeats", conformRepeats},
	{"index", conformIndex},
	{"subsets", conformSubsets},
	{"optional", conformOptional},
	{"single components", conformSingle},
	{"derived maps", conformDerived},
	{"halos", conformHalos},
	{"mixed", conformMixed},
	{"mixed forms", conformMixedForms},
	{"mixed records", conformMixedRecords},
	{"mixed mats", conformMixedMats},
	{"mass", conformMass},
	{"mats", conformMats},
	{"several mats", conformSeveralMats},
	{"mat poison", conformMatPoison},
	{"mat threads", conformMatThreads},
	{"globals", conformGlobals},
	{"floats", conformFloats},
	{"packs", conformPacks},
	{"c kernels", conformC},
	{"consts", conformConsts},
	{"c consts", conformCConsts},
	{"names", conformNames},
	{"chain", conformChain},
	{"renumber", conformRenumber},
	{"declared numbers", conformNumbers},
	{"cache", conformCache},
	{"faults", conformFaults},
	{"poison", conformPoison},
	{"two runtimes", conformTwoRuntimes},
	{"solvers", conformSolvers},
	{"static", conformStatic},
	{"closed", conformClosed},
	{"concurrent use", conformConcurrentUse},
}

// libraryParts run the library's own loops, and those that hardly differ between the
// configurations of a backend.
var libraryParts = []part{
	{"arithmetic", conformArithmetic},
	{"dirichlet", conformDirichlet},
	{"components", conformComponents},
}

// Run runs the suite for one configuration: the parts that it names, or all. The test is skipped if
// the configuration cannot run here.
func Run(t *testing.T, c Config) {
	c.Require(t)
	runParts(t, c, parts)
}

// RunLibrary runs the library's own loops for one configuration.
func RunLibrary(t *testing.T, c Config) {
	c.Require(t)
	runParts(t, c, libraryParts)
}

func runParts(t *testing.T, c Config, parts []part) {
	for _, p := range parts {
		if (c.Parts == nil || slices.Contains(c.Parts, p.name)) && heavy.InShare(t.Name()+p.name) {
			t.Run(p.name, func(t *testing.T) {
				if slices.Contains(consts, p.name) {
					packageVariables.Lock()
					defer packageVariables.Unlock()
				}
				p.run(t, c.Open)
			})
		}
	}
}

// compiles reports whether the runtime compiles kernels.
func compiles(rt *op2.Runtime) bool { return !strings.HasPrefix(rt.Backend(), "go") }

// vectorizes reports whether a runtime without a strategy may run elements in vector lanes.
func vectorizes(rt *op2.Runtime) bool {
	return slices.Contains([]string{"sequential", "openmp", "opencl"}, rt.Backend())
}

// onDevice reports whether the runtime's loops run on a device.
func onDevice(rt *op2.Runtime) bool { return slices.Contains(devices, rt.Backend()) }
