package chains_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/recordtest"
	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
	"github.com/go-op2/op2/internal/userkernel"
	"github.com/go-op2/op2/internal/wisdom"
)

// What chains of loops are turned into, and what of them runs in three calls. Loops are "x + 1", "y = x", "r += x"
// through a map and with a loop over edges, "a += x" for the global a, and "x !", which fails.
func TestChains(t *testing.T) {
	for _, test := range []struct {
		name     string
		choice   tune.Chains
		n        int
		loops    string
		plan     string
		runs     string
		sequence bool // the backend queues loops together
	}{
		{name: "off", choice: tune.ChainsOff, n: 100, loops: "x + 1; y = x",
			plan: "loop by loop (chains are off):\n  x_add over cells\n  y_set_x over cells\n",
			runs: "x_add; y_set_x"},
		{name: "neighbors are fused", choice: tune.Fuse, n: 100, loops: "x + 1; y = x",
			plan: "fused, without tiles (chains are fuse):\n  x_add+y_set_x over cells\n",
			runs: "x_add_y_set_x"},
		{name: "unless one needs what others have added up", choice: tune.Fuse, n: 100, loops: "r += x; x + 1",
			plan: "loop by loop (chains are fuse):\n  r_sum_x over edges\n  x_add over cells\n",
			runs: "r_sum_x; x_add"},
		{name: "tiles", choice: tune.Tile, n: 100, loops: "r += x; x + 1; r += x",
			plan: "by tiles (FIGURES):\n" +
				"  r_sum_x over edges\n  x_add over cells\n  r_sum_x over edges\n",
			runs: "tiles of r_sum_x, x_add, r_sum_x"},
		{name: "what is read after a sum begins other tiles", choice: tune.Tile, n: 100, loops: "r += x; a += x; r += x; x += a; r += x",
			plan: "by tiles (FIGURES):\n  r_sum_x over edges\n  a_sum_x over cells\n  r_sum_x over edges\n" +
				"by tiles (FIGURES):\n  x_sum_a over cells\n  r_sum_x over edges\n",
			runs: "tiles of r_sum_x, a_sum_x, r_sum_x; tiles of x_sum_a, r_sum_x"},
		{name: "few elements", choice: tune.Auto, n: 100, loops: "r += x; x + 1; r += x",
			plan: "loop by loop (its 3 KiB stay in a cache):\n  r_sum_x over edges\n  x_add over cells\n  r_sum_x over edges\n",
			runs: "r_sum_x; x_add; r_sum_x"},
		{name: "loops that share nothing", choice: tune.Auto, n: 1 << 21, loops: "x + 1; y + 1",
			plan: "loop by loop (tiles would move 67.11 MB instead of 67.11 MB):\n  x_add over cells\n  y_add over cells\nnot fused: x_add, y_add: they share nothing\n",
			runs: "x_add; y_add"},
		{name: "a failure ends the chain", choice: tune.ChainsOff, n: 100, loops: "x + 1; x !; y = x",
			plan: "loop by loop (chains are off):\n  x_add over cells\n  x_fail over cells\n  y_set_x over cells\n",
			runs: "x_add; x_fail"},
		{name: "a sequence", choice: tune.Auto, n: 100, loops: "r += x; x + 1", sequence: true,
			plan: "on the device (some sequence):\n  r_sum_x over edges\n  x_add over cells\n",
			runs: "sequence of r_sum_x, x_add"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := open(t, test.n, test.sequence)
			c := p.chain(t, test.loops).With(test.choice)
			plan, err := c.Plan()
			if err != nil {
				t.Fatal(err)
			}
			if got := readable(plan.String()); got != readable(test.plan) {
				t.Errorf("got\n%s\nwant\n%s", got, test.plan)
			}
			for range 3 {
				p.Trace = nil
				if err := c.Run(); (err != nil) != strings.HasSuffix(test.runs, "_fail") {
					t.Fatal(err)
				}
				if got := strings.Join(p.Trace, "; "); got != test.runs {
					t.Errorf("got  %s\nwant %s", got, test.runs)
				}
			}
		})
	}
}

// What a program calls becomes a list of operations, of which loops between two tasks are computed as one, whatever is
// assigned to globals among them. "a = 1" assigns to the global, and "task a" notes its value.
func TestRecord(t *testing.T) {
	for _, test := range []struct{ name, calls, plan, runs string }{
		{"loops and tasks", "x + 1; y = x; task a; y + 1",
			"fused, without tiles (chains are fuse):\n  x_add+y_set_x over cells\nno loop (task: a)\nloop by loop (chains are fuse):\n  y_add over cells\n",
			"x_add_y_set_x; a is 0; y_add"},
		{"tasks alone", "a = 1; task a; a = 2; task a", "no loop (task: a)\nno loop (task: a)\n", "a is 1; a is 2"},
		{"an assignment before its loops", "a = 1; x += a; y = x; task a", "", "x_sum_a; y_set_x; a is 1"},
		{"between its loops", "a = 1; x += a; a = 2; x += a; task a", "", "x_sum_a_x_sum_a; a is 2"},
		{"after its loops", "a = 1; x += a; y = x; a = 2; a = 3; task a", "", "x_sum_a; y_set_x; a is 3"},
		{"a failure leaves what follows as it was", "a = 1; x += a; a = 2; y += a; x !; a = 3; x += a", "", "x_sum_a; y_sum_a; x_fail; a is 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := open(t, 100, false)
			c, err := chains.Record(p.rt, func() error {
				for call := range strings.SplitSeq(test.calls, "; ") {
					if err := p.call(t, call); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil || len(p.Trace) > 0 {
				t.Fatal(err, p.Trace)
			}
			choice := tune.Fuse
			if strings.Contains(test.calls, "!") {
				choice = tune.ChainsOff
			}
			c = c.With(choice)
			if plan, err := c.Plan(); err != nil || test.plan != "" && plan.String() != test.plan {
				t.Errorf("%v: got\n%s\nwant\n%s", err, plan, test.plan)
			}
			for range 2 {
				p.Trace = nil
				if err := c.Run(); err != nil {
					_ = p.call(t, "task a")
				}
				if got := strings.Join(p.Trace, "; "); got != test.runs {
					t.Errorf("got  %s\nwant %s", got, test.runs)
				}
			}
		})
	}
}

// call calls what is no prepared loop: an assignment, a task, or a loop that is cached.
func (p *program) call(t *testing.T, what string) error {
	a := p.data["a"]
	switch words := strings.Fields(what); {
	case words[0] == "task":
		return run.Task{Of: "task", What: words[1], Uses: func() run.Uses { return run.Uses{Reads: []*entity.Data{a}} }, Do: func() error {
			p.Trace = append(p.Trace, fmt.Sprint("a is ", entity.Host[float64](a)[0]))
			return nil
		}}.Run(p.rt)
	case words[0] == "a" && words[1] == "=":
		run.Assign(a, store.Bytes([]float64{float64(words[2][0] - '0')}))
		return nil
	}
	k, over, args := p.kernel(what)
	return run.Call(p.rt, k, over.All(), args...)
}

// readable replaces the figures of tiles.
func readable(plan string) string {
	lines := strings.SplitAfter(plan, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "by tiles (") {
			lines[i] = "by tiles\n"
		}
	}
	return strings.Join(lines, "")
}

// A chain is prepared again when maps of its loops have changed, and not when others have.
func TestChangedMaps(t *testing.T) {
	p := open(t, 100, false)
	c := p.chain(t, "r += x; x + 1").With(tune.Tile)
	other, err := entity.NewMap(p.cells, p.cells, 1, make([]int32, 100), "other", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name     string
		change   func() error
		prepared int // loops
	}{
		{"first", func() error { return nil }, 2},
		{"second", func() error { return nil }, 0},
		{"another map", func() error { return other.SetValues(make([]int32, 100)) }, 0},
		{"its map", func() error { return p.edges2cells.SetValues(make([]int32, 200)) }, 2},
	} {
		before := len(p.Prepared)
		if err := errors.Join(step.change(), c.Run()); err != nil {
			t.Fatal(err)
		}
		if got := len(p.Prepared) - before; got != step.prepared {
			t.Errorf("%s: %d loops are prepared, want %d", step.name, got, step.prepared)
		}
	}
	if _, whole := c.Stats(); whole.Calls != 4 {
		t.Errorf("%d calls are counted, want 4", whole.Calls)
	}
}

// Neighbors are fused, and anything prepared for that, only once their calls have taken long enough. Figures go on, and
// changed maps begin anew.
func TestPostponed(t *testing.T) {
	p := open(t, 100, false)
	chains.FuseAfter(p.rt, 3)
	c := p.chain(t, "x + 1; y = x; r += x")
	for _, step := range []struct {
		change   func() error
		calls    int
		prepared int // loops
		plan     string
	}{
		{nil, 1, 3, "loop by loop (neighbors are fused, and tiles considered, in call 4):\n"},
		{nil, 1, 0, "loop by loop (neighbors are fused, and tiles considered, in call 4):\n"},
		{nil, 1, 4, "fused, without tiles (its 4 KiB stay in a cache):\n"}, // by Plan
		{nil, 1, 0, "fused, without tiles (its 4 KiB stay in a cache):\n"},
		{func() error { return p.edges2cells.SetValues(make([]int32, 200)) }, 1, 3, "loop by loop (neighbors are fused, and tiles considered, in call 4):\n"},
	} {
		before := len(p.Prepared)
		if step.change != nil {
			if err := step.change(); err != nil {
				t.Fatal(err)
			}
		}
		for range step.calls {
			if err := c.Run(); err != nil {
				t.Fatal(err)
			}
		}
		plan, err := c.Plan()
		if got := len(p.Prepared) - before; got != step.prepared || err != nil || !strings.HasPrefix(plan.String(), step.plan) {
			t.Errorf("%d loops are prepared, want %d: %v\n%s", got, step.prepared, err, plan)
		}
	}
	loops, whole := c.Stats()
	for _, l := range loops {
		if l.Calls != 5 {
			t.Errorf("%s has been called %d times, want 5", l.Kernel, l.Calls)
		}
	}
	if whole.Calls != 5 {
		t.Errorf("%d calls are counted, want 5", whole.Calls)
	}
}

// What has been prepared for later calls runs after an eighth more of them, so that its code can be compiled meanwhile.
func TestPreparedEarlier(t *testing.T) {
	p := open(t, 100, false)
	chains.FuseAfter(p.rt, 16)
	c := p.chain(t, "x + 1; y = x")
	for call := 1; call <= 20; call++ {
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
		prepared, starts := 2+2, "loop by loop" // the program's, and the chain's
		if call >= 16 {
			prepared += 3 // a fused one, and its parts
		}
		if call >= 18 {
			starts = "fused"
		}
		plan, err := c.Plan()
		if err != nil || len(p.Prepared) != prepared || !strings.HasPrefix(plan.String(), starts) {
			t.Errorf("after call %d: %d loops are prepared, want %d: %v\n%s", call, len(p.Prepared), prepared, err, plan)
		}
	}
}

// A form of a call that is not faster is dropped, and its calls are counted.
func TestTrial(t *testing.T) {
	p := open(t, 100, false)
	now := time.Duration(0)
	chains.SetClock(p.rt, func() time.Duration { // before and after each call
		now += 10 * time.Millisecond
		return now
	})
	c := p.chain(t, "x + 1; y = x")
	for range 60 {
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := c.Plan()
	if want := "trial of x_add+y_set_x over cells: apart 10ms, fused 10ms: apart\n"; err != nil || !strings.HasSuffix(plan.String(), want) {
		t.Errorf("%v\n%s", err, plan)
	}
	loops, _ := c.Stats()
	for i, calls := range []int64{11, 49, 49} {
		if loops[i].Calls != calls {
			t.Errorf("%s has been called %d times, want %d", loops[i].Kernel, loops[i].Calls, calls)
		}
	}
}

// What a chain is turned into is tried where that is asked for, and later chains are that at once. What changes bits is not tried, and
// neither is what changes nothing.
func TestWays(t *testing.T) {
	for _, test := range []struct {
		loops, plan, tried, refused string
	}{
		{loops: "x + 1; y = x", plan: "fused, without tiles (chains are fuse):\n  x_add+y_set_x over cells\n", tried: "chains=fuse"},
		{loops: "r += x; r += x", plan: "loop by loop (neighbors are fused, and tiles considered, in call ", refused: "nothing is fused, and there are no tiles"},
	} {
		known := wisdom.New(nil)
		open := func(mode string) *program {
			m, err := tuning.ParseMode(mode)
			if err != nil {
				t.Fatal(err)
			}
			p := &program{}
			p.declare(t, 100, &p.Backend, entity.Config{Tuner: tuning.New(m, known), Backend: backend.Config{Choices: choice.Choices{HostFlags: "-ffp-contract=off"}}})
			chains.FuseAfter(p.rt, 1<<40)
			chains.SetClock(p.rt, func() time.Duration { return time.Duration(len(p.Trace)) * time.Millisecond }) // of each loop
			return p
		}
		for range 2 { // processes, the second of which confirms
			c := open("use,patient,verify,chains").chain(t, test.loops)
			for range 200 {
				if err := c.Run(); err != nil {
					t.Fatal(err)
				}
			}
		}
		found := known.All()
		if len(found) != 1 || !strings.HasPrefix(found[0].Name, "chain ") || found[0].Choice != test.tried || found[0].Breadth < 0 || found[0].Tried[0].Refused != test.refused {
			t.Errorf("%s: found %+v", test.loops, found)
		}
		for mode, want := range map[string]string{"use,patient": test.plan, "learn,patient": test.plan, "off": "loop by loop"} {
			if plan, err := open(mode).chain(t, test.loops).Plan(); err != nil || !strings.HasPrefix(plan.String(), want) {
				t.Errorf("%s, %s: %v, got\n%swant\n%s", test.loops, mode, err, plan, want)
			}
		}
		if plan, err := open("use,patient").chain(t, "y = x; x + 1").Plan(); err != nil || !strings.HasPrefix(plan.String(), "loop by loop") {
			t.Errorf("another chain: %v\n%s", err, plan)
		}
	}
}

// Neighbors are not fused whose code is translated apart alone.
func TestTranslatedApart(t *testing.T) {
	for _, fused := range []bool{true, false} {
		p := &program{}
		p.declare(t, 100, recordtest.Translated{Backend: &p.Backend, Has: func(string) bool { return fused }}, entity.Config{})
		plan, err := p.chain(t, "x + 1; y = x").With(tune.Fuse).Plan()
		want := "fused, without tiles (chains are fuse):\n  x_add+y_set_x over cells\n"
		if !fused {
			want = "loop by loop (chains are fuse):\n  x_add over cells\n  y_set_x over cells\n" +
				"not fused: x_add, y_set_x: together they are not translated, and cannot be compiled here\n"
		}
		if err != nil || plan.String() != want {
			t.Errorf("%v\n%s\nwant\n%s", err, plan, want)
		}
	}
}

// For op2 translate the loops of a chain are prepared as they may be fused on another mesh, whatever they are now.
func TestPreparedForTranslation(t *testing.T) {
	for _, test := range []struct {
		loops string
		want  []string // what is prepared of fused loops
	}{
		{"x + 1; y = x; r += x", []string{"x_add_y_set_x"}},
		{"x + 1; y + 1", []string{"x_add_y_add"}},                                                       // which share nothing
		{"x + 1; y = x; a += x", []string{"x_add_y_set_x", "x_add_y_set_x_a_sum_x", "y_set_x_a_sum_x"}}, // the sum may stay alone, or the first
		{"r += x; x + 1", nil},
	} {
		p := &program{}
		p.declare(t, 100, &p.Backend, entity.Config{Backend: backend.Config{Translate: t.TempDir()}})
		chains.FuseAfter(p.rt, 100)
		if err := p.chain(t, test.loops).Run(); err != nil {
			t.Fatal(err)
		}
		var fused []string
		for _, kernel := range p.Prepared {
			if !slices.Contains(fused, kernel) && p.kernels[kernel] == nil {
				fused = append(fused, kernel)
			}
		}
		if !slices.Equal(fused, test.want) {
			t.Errorf("%s: got %q, want %q", test.loops, fused, test.want)
		}
	}
}

// What cannot be a chain, or one's temporary dat, says why.
func TestErrors(t *testing.T) {
	p, q := open(t, 10, false), open(t, 10, false)
	l, other := p.loop(t, "x + 1"), q.loop(t, "x + 1")
	c := p.chain(t, "x + 1; y = x")
	temporary := func(d *entity.Data) error {
		_, err := c.Temporary([]*entity.Data{d})
		return err
	}
	made := func(loops ...*run.Loop) error {
		_, err := chains.New(loops)
		return err
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{made(), "op2: NewChain: it has no loops"},
		{made(l, nil), "op2: NewChain: loop 2 of 2 is nil, or was not made by NewLoop"},
		{made(l, other), "op2: NewChain: its loops belong to two runtimes: loop x_add over cells to runtime "},
		{(*chains.Chain)(nil).Made(), "op2: the chain is nil, or was not made by NewChain"},
		{temporary(q.data["x"]), "op2: Chain.Temporary: dat x belongs to runtime "},
		{temporary(p.data["r"]), "op2: Chain.Temporary: dat r: no loop of the chain uses it\n  hint: pass the dats that the chain's loops leave for each other"},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), test.want) {
			t.Errorf("got %v, want %s", test.err, test.want)
		}
	}
}

// program is a runtime with some data, on a backend that computes nothing and records what runs.
type program struct {
	recordtest.Backend
	rt           *entity.Runtime
	cells, edges *entity.Set
	edges2cells  *entity.Map
	data         map[string]*entity.Data
	kernels      map[string]*userkernel.Kernel
}

func open(t *testing.T, n int, sequence bool) *program {
	p := &program{}
	if sequence {
		p.declare(t, n, recordtest.Queuing{Backend: &p.Backend}, entity.Config{})
	} else {
		p.declare(t, n, &p.Backend, entity.Config{CheckPlans: true, Backend: backend.Config{Choices: choice.Choices{HostFlags: "-ffp-contract=off"}}})
	}
	return p
}

// declare opens the runtime, and declares the data.
func (p *program) declare(t *testing.T, n int, b backend.Backend, config entity.Config) {
	p.data, p.kernels = map[string]*entity.Data{}, map[string]*userkernel.Kernel{}
	p.rt = run.Open("record", b, config)
	chains.FuseAfter(p.rt, 0)
	ends := make([]int32, 2*n)
	for e := range n {
		ends[2*e], ends[2*e+1] = int32(e), int32((e+1)%n)
	}
	var errs [7]error
	p.cells, errs[0] = p.rt.NewSet(halo.All(n), "cells")
	p.edges, errs[1] = p.rt.NewSet(halo.All(n), "edges")
	p.edges2cells, errs[2] = entity.NewMap(p.edges, p.cells, 2, ends, "edges2cells", false)
	for i, name := range []string{"x", "y", "r"} {
		p.data[name], errs[3+i] = entity.NewZeros(p.cells, 1, loop.Float64, name)
	}
	p.data["a"], errs[6] = entity.NewGlobal(p.rt, []float64{0}, "a")
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
}

// chain returns the chain of loops.
func (p *program) chain(t *testing.T, loops string) *chains.Chain {
	var of []*run.Loop
	for l := range strings.SplitSeq(loops, "; ") {
		of = append(of, p.loop(t, l))
	}
	c, err := chains.New(of)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (p *program) loop(t *testing.T, what string) *run.Loop {
	k, over, args := p.kernel(what)
	l, err := run.NewLoop(k, over.All(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// kernel returns the kernel of a loop, with its set and arguments.
func (p *program) kernel(what string) (*userkernel.Kernel, *entity.Set, []entity.Arg) {
	words := strings.Fields(what)
	to, from := p.data[words[0]], p.data[words[len(words)-1]]
	name, body, over, args := words[0]+"_add", "(double *x) { *x += 1; }", p.cells, []entity.Arg{to.RW()}
	switch {
	case words[1] == "!":
		name = words[0] + "_fail"
	case words[1] == "=":
		name, body, args = words[0]+"_set_"+words[2], "(double *y, const double *x) { *y = *x; }", []entity.Arg{to.Write(), from.Read()}
	case words[0] == "r":
		name, body, over = "r_sum_"+words[2], "(double *r, const double *x) { *r += *x; }", p.edges
		args = []entity.Arg{to.Inc(p.edges2cells.At(0)), from.Read(p.edges2cells.At(1))}
	case words[1] == "+=":
		name, body, args = words[0]+"_sum_"+words[2], "(double *a, const double *x) { *a += *x; }", []entity.Arg{to.Inc(), from.Read()}
	}
	if p.kernels[name] == nil {
		p.kernels[name] = (*userkernel.Kernel)(ckernel.New(name, "static void "+name+body))
	}
	return p.kernels[name], over, args
}
