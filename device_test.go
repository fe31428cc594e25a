package op2_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
)

// Tests of what users see of devices, on those that need no GPU.
var deviceBackends = []string{"opencl", gputest.Standin}

// strategies are those that can be requested.
var strategies = []string{"auto", "staged", "blocks", "atomic", "global-color", "gather", "measure"}

// eachWatched runs f for every device, on runtimes that open opens and watched watches.
func eachWatched(t *testing.T, f func(t *testing.T, open optest.Opener, watched *gputest.Watched)) {
	for _, name := range deviceBackends {
		t.Run(name, func(t *testing.T) {
			watched := watch(t, name, standin.Limits{})
			f(t, openerOf(name), watched)
		})
	}
}

// watch calls gputest.Watch if the backend can run.
func watch(t testing.TB, name string, limits standin.Limits) *gputest.Watched {
	gputest.Require(t, name)
	return gputest.Watch(t, name, limits)
}

// openerOf opens runtimes of a backend.
func openerOf(name string) optest.Opener {
	return func(t testing.TB, options ...op2.Option) *op2.Runtime {
		t.Helper()
		rt, err := op2.Open(append([]op2.Option{op2.WithBackend(name), op2.WithLog(nil), optest.Unoptimized()}, options...)...)
		if err != nil {
			t.Fatal(err)
		}
		optest.CheckPlans(rt)
		t.Cleanup(func() { rt.Close() })
		return rt
	}
}

// chain is a mesh of edges in a row, with flow along them.
type chain struct {
	rt           *op2.Runtime
	edges, nodes *op2.Set
	edge2node    *op2.Map
	q, r         *op2.Dat[float64]
	flow         *op2.Loop
	start        []float64
}

func newChain(t testing.TB, rt *op2.Runtime, n int) *chain {
	t.Helper()
	c := &chain{rt: rt, edges: optest.NewSet(t, rt, n, "edges"), nodes: optest.NewSet(t, rt, n+1, "nodes")}
	ends := make([]int32, 2*n)
	for e := range n {
		ends[2*e], ends[2*e+1] = int32(e), int32(e+1)
	}
	c.edge2node = optest.NewMap(t, c.edges, c.nodes, 2, ends, "edge2node")
	c.start = optest.Some[float64](optest.NewTopology(n, n).Random, 3*(n+1))
	c.q, c.r = optest.NewDat(t, c.nodes, 3, c.start, "q"), optest.NewDat[float64](t, c.nodes, 3, nil, "r")
	return c
}

// prepare prepares the loop.
func (c *chain) prepare() (err error) {
	m := c.edge2node
	c.flow = op2.NewLoop(deviceKernels.Func(swapFlow), c.edges, c.q.Read(m.At(0)), c.q.Read(m.At(1)), c.r.Inc(m.At(0)), c.r.Inc(m.At(1)))
	err = c.flow.Err()
	return err
}

// run runs the loop once.
func (c *chain) run() error {
	if c.flow == nil {
		if err := c.prepare(); err != nil {
			return err
		}
	}
	return c.flow.Compute()
}

// want returns r after that many runs.
func (c *chain) want(runs int) []float64 {
	r := make([]float64, len(c.start))
	for i := range len(r) - 3 {
		f := float64(runs) * (c.start[i] - c.start[i+3])
		r[i] -= f
		r[i+3] += f
	}
	return r
}

// strategiesOf returns the strategies that tests of eachWatched try: on the stand-in, which
// compiles slowly, only some.
func strategiesOf(t testing.TB) []string {
	if testing.Short() {
		return []string{"auto", "staged"}
	}
	if strings.HasSuffix(t.Name(), "/"+gputest.Standin) {
		return []string{"auto", "staged", "gather"}
	}
	return slices.Clone(strategies)
}

// again runs the current test in another process, with additional environment variables.
func again(t *testing.T, environment ...string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v")
	c.Env = append(os.Environ(), environment...)
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
}
