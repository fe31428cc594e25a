package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gofunc"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/backend/opencl"
	"github.com/go-op2/op2/internal/backend/parttest"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// inParts are backends that run each loop in random parts, with the parts of the suite that they
// run each time.
var inParts = []struct {
	backend.Driver
	suite   []string
	options []op2.Option
}{
	{gofunc.Driver, hostParts, nil},
	{host.Sequential, hostParts, nil},
	{host.Threads, hostParts, []op2.Option{op2.WithCFlags("-O1")}}, // as in Configs, so that code is compiled once
	{optest.FakeDriver, shortParts, nil},
	{opencl.Driver, slices.Concat(strategyParts, []string{"globals"}), []op2.Option{optest.Unoptimized()}},
	{gputest.StandinDriver, slices.Concat(shortParts, []string{"globals"}), []op2.Option{optest.Unoptimized()}},
}

// TestParts runs much of the suite, and random loops, with each loop in parts.
func TestParts(t *testing.T) { testParts(t, 1, 4, true) }

func TestHeavyParts(t *testing.T) {
	heavy.Tests(t)
	testParts(t, 5, 60, false)
}

func testParts(t *testing.T, first, last uint64, suite bool) {
	for _, d := range inParts {
		if testing.Short() && d.Name != "go" && d.Name != "openmp" {
			continue
		}
		name := d.Name + " in parts"
		registrytest.Add(parttest.Driver(name, d.Driver))
		t.Cleanup(func() { registrytest.Remove(name) })
		c := Config{Needs: d.Name, Options: append(d.options, op2.WithBackend(name), op2.WithBlockSize(16), op2.WithThreads(3)), Parts: d.suite}
		if missing := d.Probe(backend.Config{}).Missing; len(missing) > 0 {
			c.Missing = fmt.Sprint(missing)
		}
		t.Run(d.Name, func(t *testing.T) {
			c.Require(t)
			t.Parallel()
			if suite {
				Run(t, c)
			}
			for seed := first; seed <= last && d.Name != "go"; seed++ {
				t.Run(fmt.Sprintf("random/%d", seed), func(t *testing.T) {
					heavy.Share(t)
					newRandomMesh(t, c.Open, seed).run()
				})
			}
		})
	}
}
