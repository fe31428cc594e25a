package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed checkpoint_kernels_test.go
var checkpointSource string

// circle is a program that makes checkpoints: values move along the edges of a circle of nodes in random order.
type circle struct {
	nodes    int
	seed     uint64 // of the order of the nodes
	renumber bool
	shares   bool
	explicit string                     // the folder of Checkpoint
	until    func(step int) (stop bool) // is asked in each step, after Checkpoint; nil: never
	declare  func(rt *op2.Runtime, on *op2.Set)
	// more is called in each step, with a dat that the step replaces.
	more func(rt *op2.Runtime, old *op2.Dat[float64], step int) error
}

// checkpointSteps is the number of steps of a run.
const checkpointSteps = 30

// errStopped is that of a run that until has ended.
var errStopped = errors.New("stopped")

// run returns the values at the end, of the mesh, and of the sum of all changes.
func (c circle) run(rt *op2.Runtime) (q []float64, sums []float64, err error) {
	r := rand.New(rand.NewPCG(c.seed, 2))
	order := r.Perm(c.nodes)
	ends, start, weights := make([]int32, 2*c.nodes), make([]float64, 2*c.nodes), make([]float64, c.nodes)
	for i := range c.nodes {
		ends[2*i], ends[2*i+1] = int32(order[i]), int32(order[(i+1)%c.nodes])
		start[2*i], start[2*i+1], weights[i] = r.Float64(), r.Float64(), 0.5+r.Float64()/2
	}
	var nodes, edges *op2.Set
	if !c.shares {
		nodes, edges = rt.NewSet(c.nodes, "nodes"), rt.NewSet(c.nodes, "edges")
	} else {
		first, last := rt.Rank()*c.nodes/rt.Ranks(), (rt.Rank()+1)*c.nodes/rt.Ranks()
		nodes, edges = rt.NewSetShare(last-first, "nodes"), rt.NewSetShare(last-first, "edges")
		ends, start, weights = ends[2*first:2*last], start[2*first:2*last], weights[first:last]
	}
	edge2node := op2.NewMap(edges, nodes, 2, ends, "edge2node")
	weight := op2.NewDat(nodes, 1, weights, "weight")
	values, old := op2.NewDat(nodes, 2, start, "q"), op2.NewDat[float64](nodes, 2, nil, "old")
	res := op2.NewDat[float64](nodes, 2, nil, "res")
	change, all := op2.NewGlobal(rt, []float64{0}, "change"), op2.NewGlobal(rt, []float64{0}, "all")
	op2.NewConst(rt, "damping", &damping)
	if c.declare != nil {
		c.declare(rt, nodes)
	}
	if c.shares {
		if err := rt.Partition(weight); err != nil { // any numbers do for a position
			return nil, nil, err
		}
	}
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return nil, nil, err
		}
	}
	kernels := op2.Kernels(checkpointSource)
	save := op2.NewLoop(kernels.Func(keepPrevious), nodes, values.Read(), old.Write())
	move := op2.NewLoop(kernels.Func(exchanged), edges, values.Read(edge2node.At(0)), values.Read(edge2node.At(1)), res.Inc(edge2node.At(0)), res.Inc(edge2node.At(1)))
	step := op2.NewLoop(kernels.Func(stepped), nodes, old.Read(), res.RW(), values.RW(), weight.Read(), change.Inc(), all.Inc())
	if err := rt.Err(); err != nil {
		return nil, nil, err
	}
	n, time := 0, 0.0
	if err := errors.Join(rt.Keep("step", &n), rt.Keep("time", &time)); err != nil {
		return nil, nil, err
	}
	for ; n < checkpointSteps; n++ {
		if err := rt.Checkpoint(c.explicit); err != nil {
			return nil, nil, err
		}
		if c.until != nil && c.until(n) {
			return nil, nil, errStopped
		}
		if c.more != nil {
			if err := c.more(rt, old, n); err != nil {
				return nil, nil, err
			}
		}
		if err := errors.Join(all.Set(0), save.Compute(), move.Compute(), step.Compute()); err != nil {
			return nil, nil, err
		}
		time += 0.1
	}
	if q, err = values.InDeclaredOrder(); err != nil {
		return nil, nil, err
	}
	a, err1 := change.Value()
	b, err2 := all.Value()
	return q, []float64{a, b, time, float64(n)}, errors.Join(err1, err2)
}

// on runs the program on a number of ranks, and returns what rank 0 does.
func (c circle) on(ranks int, options ...op2.Option) (q, sums []float64, err error) {
	var mu sync.Mutex
	program := func(rank op2.Option) (err error) {
		rt, err := op2.Open(append([]op2.Option{op2.WithLog(nil), rank}, options...)...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rt.Close()) }()
		values, s, err := c.run(rt)
		if rt.Rank() == 0 {
			mu.Lock()
			defer mu.Unlock()
			q, sums = values, s
		}
		return err
	}
	if ranks == 1 {
		err = program(nil)
	} else {
		err = op2.RunRanks(ranks, program)
	}
	return q, sums, err
}

// A run that ends five times, and goes on each time with another number of ranks, backend and order, computes what one
// does that never ends: the same bits, if that is asked for.
func TestRestart(t *testing.T) {
	for _, same := range []bool{true, false} {
		wantQ, wantSums, err := circle{nodes: 300}.on(1, op2.WithBackend("go"), op2.WithSameBits(same))
		optest.OK(t, err)
		folder, begun := filepath.Join(t.TempDir(), "run.chk"), 0
		for i, run := range []struct {
			ranks   int
			stop    int
			circle  circle
			options []op2.Option
		}{
			{1, 4, circle{}, []op2.Option{op2.WithBackend("go")}},
			{3, 9, circle{}, []op2.Option{op2.WithBackend("go")}},
			{2, 14, circle{renumber: true}, []op2.Option{op2.WithBackend("sequential"), op2.WithPartitioner(op2.Contiguous)}},
			{1, 19, circle{renumber: true}, []op2.Option{op2.WithBackend("openmp"), op2.WithLazy(true)}},
			{3, 22, circle{shares: true}, []op2.Option{op2.WithBackend("go")}},
			{4, 25, circle{}, []op2.Option{op2.WithBackend("go"), op2.WithHaloDepth(2)}},
			{2, -1, circle{}, []op2.Option{op2.WithBackend("go")}},
		} {
			c := run.circle
			c.nodes, c.until = 300, func(step int) bool {
				if step < begun {
					t.Errorf("run %d goes on from step %d, the one before it ended at %d", i, step, begun)
				}
				return step == run.stop
			}
			options := append(run.options, op2.WithSameBits(same), op2.WithCheckpoint(folder, 1))
			if i > 0 {
				options = append(options, op2.WithRestart(folder))
			}
			if i%2 == 1 { // while a checkpoint is under way
				c.more = func(rt *op2.Runtime, _ *op2.Dat[float64], step int) error {
					_, err := optest.Shake(rt, rand.New(rand.NewPCG(uint64(step), 3)))
					return err
				}
			}
			q, sums, err := c.on(run.ranks, options...)
			if run.stop >= 0 {
				if err == nil || !strings.Contains(err.Error(), "stopped") {
					t.Fatalf("run %d: %v", i, err)
				}
				begun = run.stop
				continue
			}
			optest.OK(t, err)
			worst := 0.0
			for j, v := range append(q, sums...) {
				worst = max(worst, math.Abs(v-append(slices.Clone(wantQ), wantSums...)[j]))
			}
			if same && worst != 0 || !(worst < 1e-12) {
				t.Errorf("same bits %v: values differ by %v", same, worst)
			}
		}
	}
}

// A checkpoint of a device has what is in its memory, and devices go on from those of others.
func TestRestartOnDevices(t *testing.T) {
	want, wantSums, err := circle{nodes: 60}.on(1, op2.WithBackend("go"))
	optest.OK(t, err)
	for _, name := range deviceBackends {
		t.Run(name, func(t *testing.T) {
			watch(t, name, standin.Limits{})
			folder := filepath.Join(t.TempDir(), "run.chk")
			stopAt := func(step int) circle {
				return circle{nodes: 60, explicit: folder, until: func(n int) bool { return n == step }}
			}
			if _, _, err := stopAt(8).on(1, op2.WithBackend(name)); !errors.Is(err, errStopped) {
				t.Fatal(err)
			}
			if _, _, err := stopAt(16).on(2, op2.WithBackend("go"), op2.WithRestart(folder)); err == nil || !strings.Contains(err.Error(), "stopped") {
				t.Fatal(err)
			}
			q, sums, err := stopAt(-1).on(1, op2.WithBackend(name), op2.WithRestart(folder))
			optest.OK(t, err)
			for i, v := range append(q, sums...) {
				if d := v - append(slices.Clone(want), wantSums...)[i]; !(math.Abs(d) < 1e-12) {
					t.Fatalf("value %d differs by %v", i, d)
				}
			}
		})
	}
}

// Sets that come distributed with the numbers of their elements, and the same ones declared whole, go on from each other's
// checkpoints.
func TestRestartOfReadySets(t *testing.T) {
	folder := ""
	run := func(ranks, from, to int, options ...op2.Option) (sums []float64) {
		optest.OK(t, op2.RunRanks(ranks, func(rank op2.Option) (err error) {
			rt, err := op2.Open(append(options, rank, op2.WithBackend("go"), op2.WithLog(nil))...)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, rt.Close()) }()
			var nodes, edges *op2.Set
			var ends *op2.Map
			values := []float64{1, 0, 2, 0, 3, 0, 4, 0}
			if ranks == 2 {
				nodes, edges, ends = readyPath(rt)
				values = [][]float64{{1, 0, 2, 0, 3, 0}, {3, 0, 4, 0, 2, 0}}[rt.Rank()]
			} else {
				nodes, edges = rt.NewSet(4, "nodes"), rt.NewSet(3, "edges")
				ends = op2.NewMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3}, "ends")
			}
			x, w, sum := op2.NewDat(nodes, 2, values, "x"), op2.NewDat[float64](edges, 1, nil, "w"), op2.NewDat[float64](nodes, 1, nil, "sum")
			add := op2.NewLoop(op2.Kernels(shareSource).Func(shareAdd), edges, w.Read(), x.Read(ends.At(0)), x.Read(ends.At(1)), sum.Inc(ends.At(0)), sum.Inc(ends.At(1)))
			n := 0
			if err := errors.Join(rt.Err(), w.Fill(1), rt.Keep("n", &n)); err != nil {
				return err
			}
			for first := true; n < to; n++ {
				if err := rt.Checkpoint(folder); err != nil {
					return err
				}
				if first && n != from {
					return fmt.Errorf("goes on from step %d, not %d", n, from)
				}
				first = false
				if err := errors.Join(add.Compute(), x.Scale(2)); err != nil {
					return err
				}
			}
			all, err := sum.InDeclaredOrder()
			if rt.Rank() == 0 {
				sums = all
			}
			return err
		}))
		return sums
	}
	want := run(1, 0, 9)
	folder = filepath.Join(t.TempDir(), "run.chk")
	run(2, 0, 4)
	run(1, 3, 7, op2.WithRestart(folder))
	if got := run(2, 6, 9, op2.WithRestart(folder)); !slices.Equal(got, want) {
		t.Errorf("the sums are %v, want %v", got, want)
	}
}

// Dats that are replaced before they are read are left out, once a step has shown that; others are not.
func TestCheckpointLeavesOut(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "run.chk")
	c := circle{nodes: 40, explicit: folder, until: func(step int) bool { return step == 5 }}
	if _, _, err := c.on(2, op2.WithBackend("go")); err == nil {
		t.Fatal("not stopped")
	}
	names, err := os.ReadDir(folder)
	optest.OK(t, err)
	if len(names) != 2 {
		t.Errorf("%d checkpoints are kept", len(names))
	}
	index := string(optest.Must(os.ReadFile(filepath.Join(folder, names[0].Name(), "index"))))
	for name, state := range map[string]string{"q": "saved", "res": "saved", "weight": "saved", "old": "unneeded"} {
		if !regexp.MustCompile(`"dat ` + name + ` on nodes",\s*"Nth": 0,\s*"State": "` + state + `"`).MatchString(index) {
			t.Errorf("%s is not %s:\n%s", name, state, index)
		}
	}
}
