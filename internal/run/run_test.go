package run_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/recordtest"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/userkernel"
)

// must returns what there is without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func kernel(name, text string) *userkernel.Kernel {
	return (*userkernel.Kernel)(ckernel.New(name, "void "+name+text))
}

// ring is a ring of nodes and edges, each edge between the nodes of its number and the next, on a backend that records
// what runs.
type ring struct {
	recordtest.Backend
	rt             *entity.Runtime
	nodes, edges   *entity.Set
	ends           *entity.Map
	x, y           *entity.Data
	sum            *entity.Data
	add, spread    *userkernel.Kernel
	count, failing *userkernel.Kernel
}

func newRing(n int, c entity.Config) *ring {
	r := &ring{}
	r.rt = run.Open("record", &r.Backend, c)
	r.nodes, r.edges = must(r.rt.NewSet(halo.All(n), "nodes")), must(r.rt.NewSet(halo.All(n), "edges"))
	r.ends = r.newMap("ends")
	r.x, r.y = r.newDat("x"), r.newDat("y")
	r.sum = must(entity.NewGlobal(r.rt, []float64{0}, "sum"))
	r.add = kernel("add", "(double *x) { *x += 1; }")
	r.spread = kernel("spread", "(const double *x, double *y) { *y += *x; }")
	r.count = kernel("count", "(const double *x, double *y, double *sum) { *y += *x; *sum += *x; }")
	r.failing = kernel("add_fail", "(double *x) { *x += 1; }")
	return r
}

func (r *ring) newMap(name string) *entity.Map {
	var ends []int
	for e := range r.edges.Total() {
		ends = append(ends, e, (e+1)%r.edges.Total())
	}
	return must(entity.NewMap(r.edges, r.nodes, 2, ends, name, false))
}

func (r *ring) newDat(name string) *entity.Data {
	return must(entity.NewDat(r.nodes, 1, make([]float64, r.nodes.Total()), name))
}

// With statistics, profiles say which loop a goroutine runs, and what the context says outside of loops.
func TestLabels(t *testing.T) {
	labels := func() string {
		var b strings.Builder
		must(0, pprof.Lookup("goroutine").WriteTo(&b, 1))
		return strings.Join(regexp.MustCompile(`# labels: .*`).FindAllString(b.String(), -1), "; ")
	}
	for _, stats := range []bool{false, true} {
		pprof.Do(t.Context(), pprof.Labels("step", "3"), func(ctx context.Context) {
			r := newRing(4, entity.Config{Stats: stats, Context: ctx})
			inside := ""
			r.Name = func(kernel string) string { inside = labels(); return kernel }
			if err := run.ParLoop(r.rt, r.add, r.nodes.All(), r.x.RW()); err != nil {
				t.Fatal(err)
			}
			want := `# labels: {"step":"3"}`
			if after := labels(); after != want {
				t.Errorf("statistics %v, afterward: %s", stats, after)
			}
			if stats {
				want = `# labels: {"op2.kernel":"add", "op2.set":"nodes", "step":"3"}`
			}
			if inside != want {
				t.Errorf("statistics %v: %s, want %s", stats, inside, want)
			}
		})
	}
}

// A prepared loop is found again by its kernel, range and arguments, until one of them changes or becomes unreachable.
func TestCache(t *testing.T) {
	r := newRing(10, entity.Config{})
	some := must(entity.NewSubset(r.edges.All(), []int{1, 2}, "some"))
	other := r.newMap("other")
	along := func(over entity.Range, m *entity.Map, from int, x *entity.Data) error {
		return run.ParLoop(r.rt, r.spread, over, x.Read(m.At(from)), r.y.Inc(m.At(1-from)))
	}
	for _, step := range []struct {
		name             string
		do               func() error
		prepared, cached int
	}{
		{"first", func() error { return along(r.edges.All(), r.ends, 0, r.x) }, 1, 1},
		{"again", func() error { return along(r.edges.All(), r.ends, 0, r.x) }, 0, 1},
		{"another component", func() error { return along(r.edges.All(), r.ends, 1, r.x) }, 1, 2},
		{"another map", func() error { return along(r.edges.All(), other, 0, r.x) }, 1, 3},
		{"a subset", func() error { return along(some.All(), r.ends, 0, r.x) }, 1, 4},
		{"another access", func() error { return run.ParLoop(r.rt, r.add, r.nodes.All(), r.x.RW()) }, 1, 5},
		{"another kernel", func() error {
			return run.ParLoop(r.rt, kernel("more", "(double *x) { *x += 2; }"), r.nodes.All(), r.x.RW())
		}, 1, 6},
		{"values of a map", func() error { return other.SetValues(make([]int32, 20)) }, 0, 5},
		{"after them", func() error { return along(r.edges.All(), other, 0, r.x) }, 1, 6},
		{"others after them", func() error { return along(r.edges.All(), r.ends, 0, r.x) }, 0, 6},
		{"another dat", func() error { return along(r.edges.All(), r.ends, 0, r.newDat("z")) }, 1, 7},
		{"which has become unreachable", func() error {
			for range 1000 {
				runtime.GC()
				if r.rt.DropUnreachable(); run.CachedLoops(r.rt) < 7 {
					break
				}
				time.Sleep(time.Millisecond)
			}
			return nil
		}, 0, 6},
		{"a loop that cannot be", func() error {
			if run.ParLoop(r.rt, r.add, r.edges.All(), r.x.RW()) == nil {
				return errors.New("no error")
			}
			return nil
		}, 0, 6},
	} {
		before := len(r.Prepared)
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if prepared, cached := len(r.Prepared)-before, run.CachedLoops(r.rt); prepared != step.prepared || cached != step.cached {
			t.Errorf("%s: %d loops are prepared, want %d; %d are cached, want %d", step.name, prepared, step.prepared, cached, step.cached)
		}
	}
	runtime.KeepAlive([]any{r, some, other})
}

// A loop that the program keeps is prepared again when its maps have changed, and goes on counting its calls.
func TestChangedMaps(t *testing.T) {
	r := newRing(10, entity.Config{})
	other := r.newMap("other")
	l := must(run.NewLoop(r.spread, r.edges.All(), r.x.Read(r.ends.At(0)), r.y.Inc(r.ends.At(1))))
	for i, step := range []struct {
		change   func() error
		prepared int
	}{
		{func() error { return nil }, 1}, // by NewLoop
		{func() error { return nil }, 1},
		{func() error { return other.SetValues(make([]int32, 20)) }, 1},
		{func() error { return r.ends.SetValues(make([]int32, 20)) }, 2},
		{func() error { return nil }, 2},
	} {
		if err := errors.Join(step.change(), l.Run()); err != nil {
			t.Fatal(err)
		}
		if s := l.Stats(); len(r.Prepared) != step.prepared || s.Calls != int64(i+1) || s.Bytes != int64(i+1)*l.Bytes() {
			t.Errorf("step %d: prepared %d times, want %d; %d calls, %d bytes", i, len(r.Prepared), step.prepared, s.Calls, s.Bytes)
		}
	}
	if err := run.ParLoop(r.rt, r.spread, r.edges.All(), r.x.Read(r.ends.At(0)), r.y.Inc(r.ends.At(1))); err != nil {
		t.Fatal(err)
	}
	if total := r.rt.Profile().Counter("spread", "edges"); total.Calls != 6 || l.Stats().Calls != 5 {
		t.Errorf("%d calls of the kernel over edges, %d of the loop; want 6, 5", total.Calls, l.Stats().Calls)
	}
}

// Errors name the loop; those of the program's own calls also the place of the loop's declaration.
func TestErrors(t *testing.T) {
	r := newRing(10, entity.Config{})
	l := must(run.NewLoop(r.failing, r.nodes.All(), r.x.RW()))
	static := newRing(10, entity.Config{Static: true})
	for _, test := range []struct {
		err  error
		want string
	}{
		{l.Run(), "op2: loop add_fail over nodes: it fails"},
		{l.Call(), "op2: loop add_fail over nodes: it fails\n  declared at "},
		{run.ParLoop(r.rt, r.failing, r.nodes.All(), r.x.RW()), "op2: loop add_fail over nodes: it fails"},
		{run.ParLoop(r.rt, r.add, r.edges.All(), r.x.RW()), "op2: loop add over edges: argument 1 (x, read and written): x is on nodes, the loop is over edges\n" +
			"  hint: pass it through a map from edges to nodes\n  x was declared at "},
		{run.CheckLoop("ParLoop", nil, r.nodes.All()), "op2: ParLoop: the kernel is nil"},
		{run.CheckLoop("ParLoop", r.add, entity.Range{}), "op2: ParLoop of kernel add: the set is nil, or was not made by NewSet or NewSubset"},
		{(*run.Loop)(nil).Made(), "op2: the loop is nil, or was not made by NewLoop"},
		{must(run.NewLoop(static.add, static.nodes.All(), static.x.RW())).Run(), "loop add over nodes: "},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", test.err, test.want)
		}
	}
	if l.Stats().Calls != 2 { // what has failed has been called
		t.Errorf("%d calls are counted, want 2", l.Stats().Calls)
	}
}

// On several ranks, the core runs before values of others have come, the rest after that, and the elements of the halo that
// are run for their contributions last, if globals must not count them.
func TestRanks(t *testing.T) {
	var traces [2]string
	errs := comm.Each(2, 0, func(c comm.Comm) error {
		r := newRing(8, entity.Config{Comm: c, Weight: 1, Owner: func(_ string, e int) int { return e / 4 }})
		spread := must(run.NewLoop(r.spread, r.edges.All(), r.x.Read(r.ends.At(1)), r.y.Inc(r.ends.At(0))))
		count := must(run.NewLoop(r.count, r.edges.All(), r.x.Read(r.ends.At(1)), r.y.Inc(r.ends.At(0)), r.sum.Inc()))
		owned := r.nodes.Size()
		r.Part = func() string { return fmt.Sprintf(" halo %v", entity.Host[float64](r.x)[owned:]) }
		for i, l := range []*run.Loop{spread, spread, count, count} {
			if i%2 == 1 { // the copies that other ranks have are no longer valid
				for e, x := 0, must(entity.Writing[float64](r.x)); e < owned; e++ {
					x[e] = float64(10*i + c.Rank())
				}
			}
			if err := l.Run(); err != nil {
				return err
			}
		}
		if s := count.Stats(); s.Messages != 1 || spread.Stats().Messages != 1 {
			return fmt.Errorf("%d and %d messages", s.Messages, spread.Stats().Messages)
		}
		traces[c.Rank()] = strings.Join(r.Trace, "\n")
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for rank, got := range traces {
		want := `begin spread halo [0 0]
spread [0, 5) halo [0 0]
finish spread halo [0 0]
begin spread halo [0 0]
spread [0, 3) halo [0 0]
spread [3, 5) halo [1R 1R]
finish spread halo [1R 1R]
begin count halo [1R 1R]
count [0, 4) halo [1R 1R]
count [4, 5) for others halo [1R 1R]
finish count halo [1R 1R]
begin count halo [1R 1R]
count [0, 3) halo [1R 1R]
count [3, 4) halo [3R 3R]
count [4, 5) for others halo [3R 3R]` // it finishes once somebody wants the sum
		if want = strings.ReplaceAll(want, "R", fmt.Sprint(1-rank)); got != want {
			t.Errorf("rank %d: got\n%s\nwant\n%s", rank, got, want)
		}
	}
}
