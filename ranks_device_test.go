package op2_test

import (
	_ "embed"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

//go:embed ranks_device_kernels_test.go
var ranksDeviceSource string

// haloProgram is a random mesh of nodes and edges, with dats of several types on the nodes.
type haloProgram struct {
	sum         *op2.Dat[float64]
	grow, total func() error
	ratio       func() error // may fault
}

func newHaloProgram(rt *op2.Runtime) (*haloProgram, error) {
	const nodes, edges = 400, 900
	random := rand.New(rand.NewPCG(3, 4))
	ends := make([]int32, 2*edges)
	for i := range edges { // mostly near each other
		ends[2*i] = random.Int32N(nodes)
		ends[2*i+1] = (ends[2*i] + random.Int32N(30)) % nodes
	}
	optest.Distribute(rt, func(set string, element int) int {
		if set == "edges" {
			element = int(ends[2*element])
		}
		return element * rt.Ranks() / nodes
	})
	nodeSet, edgeSet := rt.NewSet(nodes, "nodes"), rt.NewSet(edges, "edges")
	m := op2.NewMap(edgeSet, nodeSet, 2, ends, "ends")
	p := &haloProgram{sum: op2.NewDat[float64](edgeSet, 1, nil, "sum")}
	a := declareSome[float64](rt, nodeSet, 3, random, "a")
	b, c := declareSome[float32](rt, nodeSet, 2, random, "b"), declareSome[int64](rt, nodeSet, 1, random, "c")
	e, f := declareSome[uint16](rt, nodeSet, 3, random, "d"), declareSome[uint8](rt, nodeSet, 5, random, "e")
	// Ranks would run a loop without a map for the nodes of others, too, and exchange nothing.
	same := make([]int32, nodes)
	for i := range same {
		same[i] = int32(i)
	}
	self := op2.NewMap(nodeSet, nodeSet, 1, same, "self")
	one := op2.NewDat(nodeSet, 1, slices.Repeat([]float64{1}, nodes), "one")
	kernels, far := op2.Kernels(ranksDeviceSource), m.At(1)
	p.total = func() error {
		return op2.ParLoop(kernels.Func(haloSum), edgeSet, p.sum.Inc(), a.Read(far), b.Read(far), c.Read(far), e.Read(far), f.Read(far))
	}
	p.ratio = func() error { return op2.ParLoop(kernels.Func(haloRatio), edgeSet, p.sum.Inc(), c.Read(far)) }
	p.grow = func() error {
		return op2.ParLoop(kernels.Func(haloGrow), nodeSet, one.Read(self.At(0)), a.RW(), b.RW(), c.RW(), e.RW(), f.RW())
	}
	return p, rt.Err()
}

func declareSome[T float64 | float32 | int64 | uint16 | uint8](rt *op2.Runtime, on *op2.Set, dim int, random *rand.Rand, name string) *op2.Dat[T] {
	values := make([]T, on.Size()*dim)
	for i := range values {
		values[i] = T(random.IntN(50))
	}
	return op2.NewDat(on, dim, values, name)
}

// haloRow is the number of bytes that the dats have for a node.
const haloRow = 3*8 + 2*4 + 8 + 3*2 + 5

// Ranks on devices exchange halos with others, and with ranks on the host, by one transfer for all that
// a rank sends and one for all that it receives, which hold nothing else.
func TestHalosOnDevices(t *testing.T) {
	optest.NotShort(t)
	want := haloSums(t, 1, func() []op2.Option { return nil }, nil)
	for _, name := range deviceBackends {
		for _, layout := range []string{"aos", "soa"} {
			if (name == "opencl") != (layout == "soa") && !heavy.On() {
				continue // each device has one
			}
			t.Run(name+"/"+layout, func(t *testing.T) {
				gputest.Require(t, name)
				on := []op2.Option{op2.WithBackend(name), op2.WithLayout(op2.Layout(layout)), optest.Unoptimized()}
				checked := append(slices.Clip(on), op2.WithDiags(true))
				if got := haloSums(t, 3, func() []op2.Option { return checked }, nil); !slices.Equal(got, want) {
					t.Error("three ranks on devices have other results than one on the host")
				}
				var taken atomic.Bool
				got := haloSums(t, 2, func() []op2.Option {
					if taken.Swap(true) {
						return nil
					}
					return on
				}, watch(t, name, standin.Limits{}))
				if !slices.Equal(got, want) {
					t.Error("a rank on a device and one on the host have other results than one on the host")
				}
			})
		}
	}
}

// haloSums runs the program on n ranks, each opened with the next options, which all find the same. It
// checks what a watched device, of one of two ranks, does in a step.
func haloSums(t *testing.T, n int, next func() []op2.Option, watched *gputest.Watched) []float64 {
	all, sent, moved, onDevice := make([][]float64, n), make([]int64, n), make([]op2.Transfers, n), make([]bool, n)
	optest.OK(t, op2.RunRanks(n, func(rank op2.Option) error {
		rt, err := op2.Open(append([]op2.Option{rank, op2.WithBackend("go"), op2.WithLog(nil)}, next()...)...)
		if err != nil {
			return err
		}
		defer rt.Close()
		own := watched
		if rt.Backend() == "go" {
			own = nil
		} else {
			onDevice[rt.Rank()] = true
		}
		p, err := newHaloProgram(rt)
		for range 2 { // the first compiles, and brings everything to the device
			err = errors.Join(err, p.grow(), p.total(), p.grow(), p.ratio())
		}
		if err != nil {
			return err
		}
		rt.ResetStats()
		// Kernels that gather, the core while the host sends, kernels that scatter, the rest.
		const want = "Launch Download Launch Wait Upload Launch "
		expectCalls(t, own, want, func() error { return errors.Join(p.grow(), p.total()) })
		for _, s := range rt.Stats() {
			sent[rt.Rank()] += s.Sent
			if s.Awaited > s.Time {
				t.Errorf("%s waited %v in %v", s.Kernel, s.Awaited, s.Time)
			}
		}
		moved[rt.Rank()] = rt.Transfers()
		expectCalls(t, own, want+"Download ", func() error { return errors.Join(p.grow(), p.ratio()) })
		all[rt.Rank()], err = p.sum.InDeclaredOrder()
		return err
	}))
	for r := range all {
		if !slices.Equal(all[r], all[0]) {
			t.Errorf("rank %d has other results than rank 0", r)
		}
		if watched == nil || !onDevice[r] {
			continue
		}
		if want := (op2.Transfers{ToDevice: 1, BytesToDevice: sent[1-r], ToHost: 1, BytesToHost: sent[r]}); moved[r] != want || sent[r]%haloRow != 0 || sent[r] == 0 {
			t.Errorf("a step moved %+v, want %+v: rows of %d bytes", moved[r], want, haloRow)
		}
	}
	return all[0]
}

// expectCalls checks the calls of a device, if it is watched, that f makes, of which those that follow
// each other with the same name count once.
func expectCalls(t *testing.T, watched *gputest.Watched, want string, f func() error) {
	calls := ""
	if watched != nil {
		watched.Fail = func(call string) error {
			if call != "Elapsed" && !strings.HasSuffix(calls, call+" ") {
				calls += call + " "
			}
			return nil
		}
		defer func() { watched.Fail = nil }()
	}
	if err := f(); err != nil {
		t.Error(err)
	}
	if watched != nil && calls != want {
		t.Errorf("calls of the device: %s, want %s", calls, want)
	}
}
