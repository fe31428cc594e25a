package bind_test

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/recordtest"
	"github.com/go-op2/op2/internal/bind"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/distribute"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/userkernel"
)

// mesh is what loops are bound to.
type mesh struct {
	rt               *entity.Runtime
	nodes, edges     *entity.Set  // 6 and 5, of a path
	apart            *entity.Map  // edges to nodes that their ends share no edge with
	ends, next, self *entity.Map  // edges to nodes, edges to nodes, nodes to nodes
	x, y             *entity.Data // on nodes
	length           *entity.Data // on edges, dim 2
	sum              *entity.Data // a global
	mat              *entity.Data // nodes by nodes, through ends
	flow             *entity.MixedData
	both             *entity.MixedMap
	some             *entity.Subset // edges 0 and 3
	far              *entity.Data   // of another runtime
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newMesh() *mesh {
	m := &mesh{rt: entity.OpenRuntime("record", &recordtest.Backend{}, entity.Config{})}
	m.nodes, m.edges = must(m.rt.NewSet(halo.All(6), "nodes")), must(m.rt.NewSet(halo.All(5), "edges"))
	m.ends = must(entity.NewMap(m.edges, m.nodes, 2, []int{0, 1, 1, 2, 2, 3, 3, 4, 4, 5}, "ends", false))
	m.apart = must(entity.NewMap(m.edges, m.nodes, 1, []int{4, 4, 4, 0, 0}, "apart", false))
	m.next = must(entity.NewMap(m.edges, m.nodes, 1, []int{1, 1, 2, 3, 4}, "next", false))
	m.self = must(entity.NewMap(m.nodes, m.nodes, 1, []int{0, 1, 2, 3, 4, 5}, "self", false))
	m.x, m.y = must(entity.NewZeros(m.nodes, 1, loop.Float64, "x")), must(entity.NewZeros(m.nodes, 1, loop.Float64, "y"))
	m.length, m.sum = must(entity.NewZeros(m.edges, 2, loop.Float32, "length")), must(entity.NewGlobal(m.rt, []float64{0}, "sum"))
	pattern := must(entity.NewSparsity([][2]*entity.Map{{m.ends, m.ends}}, 1, 1, "pattern"))
	m.mat = must(entity.NewMat(pattern, loop.Float64, "mat"))
	m.flow = must(entity.NewMixedData([]*entity.Data{m.x, m.y}, "flow"))
	m.both = must(entity.NewMixedMap([]*entity.Map{m.ends, m.next}, "both"))
	m.some = must(entity.NewSubset(m.edges.All(), []int{0, 3}, "some"))
	other := entity.OpenRuntime("record", &recordtest.Backend{}, entity.Config{})
	m.far = must(entity.NewZeros(must(other.NewSet(halo.All(6), "nodes")), 1, loop.Float64, "far"))
	return m
}

// bound returns the binding of a kernel in C, given its parameters and its body.
func bound(over entity.Range, params, body string, args ...entity.Arg) (*bind.Binding, error) {
	k := ckernel.New("k", fmt.Sprintf("void k(%s) { %s }", params, body))
	return bind.NewBinding(bind.NewEnv(), (*userkernel.Kernel)(k), over, entity.Expand(args))
}

// refused takes the steps of NewBinding, and returns the one that refuses the kernel or its arguments, and why.
func refused(over entity.Range, params, body string, args ...entity.Arg) (step string, err error) {
	k := (*userkernel.Kernel)(ckernel.New("k", fmt.Sprintf("void k(%s) { %s }", params, body)))
	c := bind.Call{Runtime: over.Set.Runtime(), Over: over, Args: entity.Expand(args), What: bind.LoopName(k, over)}
	if err := bind.Place(c); err != nil {
		return "place", err
	}
	if err := bind.Check(c); err != nil {
		return "check", err
	}
	l, err := bind.Lower(bind.Describe(c, k.Name()), k)
	if err != nil {
		return "lower", err
	}
	_, err = bind.Fit(l)
	return "fit", err
}

//go:embed bind_test.go
var source string

// span takes one target of a map.
func span(smallest, largest *float64, length *[2]float32) {
	*smallest, *largest = min(*smallest, float64(length[1])), max(*largest, float64(length[1]))
}

// A step changes nothing of what it is given: a kernel may adapt the arguments, and gets operations, in its result alone.
func TestStepsChangeNothing(t *testing.T) {
	m := newMesh()
	larger := (*userkernel.Kernel)(ckernel.New("larger", "void larger(double *a, const double *b) { if (*b > *a) *a = *b; }"))
	k := userkernel.Kernels(source).Func(span)
	smaller := (*userkernel.Kernel)(ckernel.New("smaller", "void smaller(double *a, const double *b) { if (*b < *a) *a = *b; }"))
	reduced := func(d *entity.Data, op *userkernel.Kernel) entity.Arg {
		return entity.PassReduce(loop.Global, d, entity.Via{}, op, make([]byte, 8))
	}
	first := must(entity.NewMap(m.nodes, m.edges, 1, []int{0, 0, 1, 2, 3, 4}, "first", false))
	args := []entity.Arg{reduced(m.sum, smaller), reduced(must(entity.NewGlobal(m.rt, []float64{0}, "largest")), larger), m.length.Read(first.Via())}
	c := bind.Call{Runtime: m.rt, Over: m.nodes.All(), Args: slices.Clone(args), What: "loop"}
	d := bind.Describe(c, k.Name())
	meaning := func(l *loop.Loop) string { return fmt.Sprintf("%+v", *l) }
	described := meaning(d.Loop)
	l, err := bind.Lower(d, k)
	if err != nil {
		t.Fatal(err)
	}
	lowered := meaning(l.Loop)
	f, err := bind.Fit(l)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Args, args) || meaning(d.Loop) != described || d.Loop.Args[2].Component != loop.All {
		t.Errorf("lower changes what it is given: %v, %s", c.Args, meaning(d.Loop))
	}
	if meaning(l.Loop) != lowered || len(l.Loop.Ops) > 0 {
		t.Errorf("fit changes what it is given: %s", meaning(l.Loop))
	}
	if l.Args[2].Component != 0 || l.Loop.Args[2].Component != 0 || len(f.Loop.Ops) != 2 || f.Loop.Args[1].Op != 1 {
		t.Errorf("the map has one component, and there are two operations: %s", meaning(f.Loop))
	}
}

// Loops are described by the distinct data and maps in order of appearance, and arguments that number them.
func TestDescription(t *testing.T) {
	m := newMesh()
	for _, test := range []struct {
		name, params, body string
		over               entity.Range
		args               []entity.Arg
		want               string
		data, maps         string // that the description numbers
	}{
		{"direct", "double *x, const double *y", "*x = *y;", m.nodes.All(), []entity.Arg{m.x.Write(), m.y.Read()},
			"dat float64 1; dat float64 1; argument write data 0; argument read data 1", "x y", ""},
		{"indirect", "double *y, const double *a, const double *b, const float *l", "*y += *a * *b * l[1];", m.edges.All(),
			[]entity.Arg{m.y.Inc(m.ends.At(1)), m.x.Read(m.ends.At(0)), m.x.Read(m.next.At(0)), m.length.Read()},
			"dat float64 1; dat float64 1; dat float32 2; map 2; map 1; argument inc data 0 map 0 component 1; " +
				"argument read data 1 map 0 component 0; argument read data 1 map 1 component 0; argument read data 2", "y x length", "ends next"},
		{"whole map", "const double *x[2], float *l", "l[0] = *x[0]; l[1] = *x[1];", m.edges.All(), []entity.Arg{m.x.Read(m.ends.Via()), m.length.Write()},
			"dat float64 1; dat float32 2; map 2; argument read data 0 map 0 all; argument write data 1", "x length", "ends"},
		{"subset", "float *l", "l[0] = l[1] = 1;", m.some.All(), []entity.Arg{m.length.Write()}, "dat float32 2; argument write data 0", "length", ""},
		{"global and index", "double *sum, const int *i", "*sum += *i;", m.edges.All(), []entity.Arg{m.sum.Inc(), entity.Index()},
			"global float64 1; argument inc data 0; argument index", "sum", ""},
		{"mat", "double a[2][2]", "a[0][0] += 1;", m.edges.All(), []entity.Arg{entity.PassMat(loop.Inc, m.mat, m.ends, m.ends)},
			"mat float64 1 by 1; map 2; entries 0 0; argument inc data 0 entries 0", "mat", "ends"},
		{"mixed", "const double flow[3], double *sum", "*sum += flow[0] * flow[2];", m.edges.All(), []entity.Arg{entity.PassMixed(loop.Read, m.flow, m.both), m.sum.Inc()},
			"dat float64 1; dat float64 1; global float64 1; map 2; map 1; argument read data 0 map 0 all at 0 of 1 by 3; " +
				"argument read data 1 map 1 all next at 2 of 1 by 3; argument inc data 2", "x y sum", "ends next"},
	} {
		b, err := bound(test.over, test.params, test.body, test.args...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		lines := strings.Split(strings.TrimSpace(b.Loop.Meaning(b.Subset, "")), "\n")
		if over := "over set"; lines[1] != over && (test.over.Subset == nil || lines[1] != "over subset") {
			t.Errorf("%s: %s", test.name, lines[1])
		}
		if got := strings.Join(lines[2:], "; "); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
		var data, maps []string
		for i, d := range b.Data {
			data = append(data, d.Name())
			if b.Memory.Data[i] != d.Storage().Host() || b.Memory.Elements[i] != d.Elements() {
				t.Errorf("%s: the memory of %s is another", test.name, d.Name())
			}
		}
		for i, f := range b.Maps {
			maps = append(maps, f.Name())
			if b.Memory.Maps[i] != unsafe.Pointer(&f.Targets()[0]) {
				t.Errorf("%s: the memory of %s is another", test.name, f.Name())
			}
		}
		if got := strings.Join(data, " ") + "; " + strings.Join(maps, " "); got != test.data+"; "+test.maps {
			t.Errorf("%s: of %s", test.name, got)
		}
	}
}

// set is the parameters of a kernel that sets a value from another one.
const set = "double *y, const double *x"

// Each step refuses what it finds wrong, and lets pass what later ones find.
func TestErrors(t *testing.T) {
	m := newMesh()
	gam := 1.4
	if m.rt.NewConst("gam", loop.TypeFor[float64](), unsafe.Pointer(&gam)) != nil || m.rt.NewConst("bad", loop.TypeFor[string](), unsafe.Pointer(&gam)) == nil {
		t.Fatal("consts")
	}
	const copied = "*y = *x;"
	for _, test := range []struct {
		params, body string
		over         entity.Range
		args         []entity.Arg
		step, want   string
	}{
		// Data that cannot be reached.
		{set, copied, m.nodes.All(), []entity.Arg{m.y.Write(), {}}, "place", "argument 2: it is empty\n  hint: arguments are made by"},
		{set, copied, m.edges.All(), []entity.Arg{m.y.Write(), m.x.Read(m.ends.At(0))},
			"place", "argument 1 (y, written): y is on nodes, the loop is over edges\n  hint: pass it through a map from edges to nodes"},
		{set, copied, m.nodes.All(), []entity.Arg{m.y.Write(), m.x.Read(m.ends.At(0))}, "place", "argument 2 (x, read through ends[0]): ends leads from edges, the loop is over nodes"},
		{set, copied, m.edges.All(), []entity.Arg{m.length.Write(m.ends.At(0)), m.x.Read(m.ends.At(0))}, "place", "argument 1 (length, written through ends[0]): ends leads to nodes, length is on edges"},
		{set, copied, m.edges.All(), []entity.Arg{m.y.Inc(m.next.At(1)), m.x.Read(m.ends.At(0))}, "place", "argument 1 (y, incremented through next[1]): next has component 0 alone"},
		{set, copied, m.nodes.All(), []entity.Arg{m.y.Write(), m.far.Read()}, "place", "argument 2 (far, read): far belongs to runtime "},
		{"double a[2][2]", "a[0][0] += 1;", m.edges.All(), []entity.Arg{entity.PassMat(loop.Inc, m.mat, m.apart, m.ends)},
			"place", "argument 1 (mat, incremented through apart by ends): the sparsity pattern (declared at "},
		// Data that is used in two ways.
		{set, copied, m.nodes.All(), []entity.Arg{m.x.Write(), m.x.Read()}, "check", "argument 2 (x, read): x is also argument 1 (x, written): whether one sees"},
		{set, copied, m.nodes.All(), []entity.Arg{m.x.RW(), m.x.RW()}, "check", "argument 2 (x, read and written): x is also argument 1 (x, read and written): the kernel would change the same values twice"},
		{"double *a, double *b", "*a += *b;", m.edges.All(), []entity.Arg{m.x.RW(m.ends.At(0)), m.x.RW(m.next.At(0))},
			"check", "argument 2 (x, read and written through next[0]): element 1 of edges reaches element 1 of nodes twice, through ends[0] and through next[0]"},
		// Kernels with other parameters.
		{set, copied, m.nodes.All(), []entity.Arg{m.y.Write()}, "fit", "the kernel takes 2 arguments, 1 was given\n  hint: k takes double *y, double *x, in k.c:1:6: no argument is left for x"},
		{set, copied, m.nodes.All(), []entity.Arg{m.y.Write(), m.x.Read(), m.sum.Read()}, "fit", "the kernel takes 2 arguments, 3 were given\n  hint: k takes double *y, double *x, in k.c:1:6: no parameter is left for argument 3 (sum, read)"},
		{set, copied, m.edges.All(), []entity.Arg{m.length.Write(), m.x.Read(m.ends.At(0))}, "fit", "argument 1 (length, written): the kernel takes double *y, length holds 2 float32 for each of edges"},
		// What a kernel does.
		{"double *y, double *x", "*x = *y;", m.nodes.All(), []entity.Arg{m.y.Read(), m.x.Read()}, "fit", "kernel k: k.c:1:32: x is written, but passed with Read"},
		{"double *y", "*y = gam + wall;", m.nodes.All(), []entity.Arg{m.y.Write()}, "lower", "kernel k: k.c:1:32: undefined: wall"},
		{"double *y", "*y = gam + bad;", m.nodes.All(), []entity.Arg{m.y.Write()}, "lower", "const bad: not declared, because of an earlier error: const bad: string is not plain"},
	} {
		step, err := refused(test.over, test.params, test.body, test.args...)
		want := fmt.Sprintf("op2: loop k over %s: %s", test.over.Name(), test.want)
		if err == nil || !strings.HasPrefix(err.Error(), want) || step != test.step {
			t.Errorf("%s: got  %v\nwant %s: %s", step, err, test.step, want)
		}
		if _, again := bound(test.over, test.params, test.body, test.args...); again == nil || again.Error() != err.Error() {
			t.Errorf("bound: %v\nstep by step: %v", again, err)
		}
	}
	if _, err := bound(m.nodes.All(), "double *y", "*y = gam;", m.y.Write()); err != nil {
		t.Error(err)
	}
}

// A plan colors by data that several elements may change, and stages what they reach through maps.
func TestPlanInput(t *testing.T) {
	m := newMesh()
	const params, body = "double *y, const double *x, float *l, double *sum", "*y += *x; l[0] = l[1] = *x; *sum += *x;"
	args := []entity.Arg{m.y.Inc(m.ends.At(1)), m.x.Read(m.next.At(0)), m.length.Write(), m.sum.Inc()}
	for _, test := range []struct {
		name         string
		over         entity.Range
		params, body string
		args         []entity.Arg
		stage        bool
		want         string
	}{
		{"colors", m.edges.All(), params, body, args, false,
			"5 elements; maps [0 1 1 2 2 3 3 4 4 5]; collide through 0[1]; ; collide direct; "},
		{"stages", m.edges.All(), params, body, args, true,
			"5 elements; maps [0 1 1 2 2 3 3 4 4 5] [1 1 2 3 4]; collide stage through 0[1]; stage through 1[0]; collide direct; "},
		{"subset", m.some.All(), params, body, args, false, "2 elements; maps [0 1 3 4]; collide through 0[1]; ; collide direct; "},
		{"subset, also direct", must(entity.NewSubset(m.nodes.All(), []int{1, 4}, "few")).All(), "double *y, double *z", "*y += 1; *z += 1;",
			[]entity.Arg{m.y.Inc(m.self.At(0)), m.y.Inc()}, false, "2 elements; maps [1 4] [1 4]; collide through 0[0] through 1[0]"},
		{"added to a mat", m.edges.All(), "double a[2][2]", "a[0][0] += 1;", []entity.Arg{entity.PassMat(loop.Inc, m.mat, m.ends, m.ends)}, true,
			"5 elements; maps [0 1 1 2 2 3 3 4 4 5]; collide through 0[-1]"},
		{"set in a mat", m.edges.All(), "double a[2][2]", "a[0][0] = a[0][1] = a[1][0] = a[1][1] = 1;", []entity.Arg{entity.PassMat(loop.Write, m.mat, m.ends, m.ends)}, true,
			"5 elements; maps; "},
	} {
		b, err := bound(test.over, test.params, test.body, test.args...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		in := b.PlanInput(backend.PlanRequest{BlockSize: 2, Stage: test.stage})
		got := fmt.Sprintf("%d elements; maps", in.Last)
		for _, m := range in.Maps {
			got += fmt.Sprintf(" %v", m.Values)
		}
		for _, d := range in.Data {
			got += "; "
			var what []string
			if d.Collides {
				what = append(what, "collide")
			}
			if d.Stage {
				what = append(what, "stage")
			}
			for _, r := range d.Refs {
				if r.Map < 0 {
					what = append(what, "direct")
				} else {
					what = append(what, fmt.Sprintf("through %d[%d]", r.Map, r.Component))
				}
			}
			got += strings.Join(what, " ")
		}
		if got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// On several ranks, parts of a loop end where those of the set do, and where its maps first lead into a halo that it reads.
// Elsewhere a loop runs over what is its own.
func TestBoundaries(t *testing.T) {
	for _, test := range []struct {
		name, params string
		ranks        int
		args         func(y, z, x *entity.Data, ends *entity.Map) []entity.Arg
		subset       bool
		core, last   int
		boundaries   string
	}{
		{"one rank", set, 1, func(y, z, x *entity.Data, ends *entity.Map) []entity.Arg {
			return []entity.Arg{y.Inc(), x.Read(ends.At(1))}
		}, false, 8, 8, "[]"},
		{"direct", set, 2, func(y, z, x *entity.Data, ends *entity.Map) []entity.Arg { return []entity.Arg{y.Inc(), z.Read()} }, false, 4, 5, "[4]"},
		{"reads a halo", set, 2, func(y, z, x *entity.Data, ends *entity.Map) []entity.Arg {
			return []entity.Arg{y.Inc(), x.Read(ends.At(1))}
		}, false, 3, 5, "[3 4]"},
		{"reads none", set, 2, func(y, z, x *entity.Data, ends *entity.Map) []entity.Arg {
			return []entity.Arg{y.Inc(), x.Read(ends.At(0))}
		}, false, 4, 5, "[4]"},
		{"adds to a halo", "double *x, const double *y", 2, func(y, z, x *entity.Data, ends *entity.Map) []entity.Arg {
			return []entity.Arg{x.Inc(ends.At(1)), y.Read()}
		}, false, 4, 5, "[4]"},
		{"subset", set, 2, func(y, z, x *entity.Data, ends *entity.Map) []entity.Arg {
			return []entity.Arg{y.Inc(), x.Read(ends.At(1))}
		}, true, 1, 3, "[1 2]"},
	} {
		errs := comm.Each(test.ranks, 0, func(c comm.Comm) error {
			rt := run.Open("record", &recordtest.Backend{}, entity.Config{Comm: c, Weight: 1, Owner: func(_ string, e int) int { return e / 4 }})
			nodes, edges := must(rt.NewSet(halo.All(8), "nodes")), must(rt.NewSet(halo.All(8), "edges"))
			ends := must(entity.NewMap(edges, nodes, 2, []int{0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 0}, "ends", false))
			x, y := must(entity.NewZeros(nodes, 1, loop.Float64, "x")), must(entity.NewZeros(edges, 1, loop.Float64, "y"))
			z := must(entity.NewZeros(edges, 1, loop.Float64, "z"))
			over := edges.All()
			if test.subset {
				over = must(entity.NewSubset(over, []int{1, 3, 5, 7}, "odd")).All()
			}
			if err := distribute.Partition(rt, nil); err != nil {
				return err
			}
			b, err := bound(over, test.params, "*"+test.params[len("double *"):][:1]+" += 1;", test.args(y, z, x, ends)...)
			if err != nil {
				return err
			}
			if got := fmt.Sprint(b.Memory.Boundaries); b.Core != test.core || b.Memory.Last != test.last || got != test.boundaries {
				return fmt.Errorf("a core of %d, of %d elements with boundaries %s", b.Core, b.Memory.Last, got)
			}
			return nil
		})
		if err := errors.Join(errs...); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// A halo that no messages keep valid has rows that loops reach through maps, and no elements that they run over.
func TestHaloWithoutRanks(t *testing.T) {
	rt := run.Open("record", &recordtest.Backend{}, entity.Config{})
	parts := halo.Extents{Core: 2, Owned: 4, Layers: []halo.Layer{{Executed: 2, ReadOnly: 1}, {ReadOnly: 1}}}
	nodes, edges := must(rt.NewSet(parts, "nodes")), must(rt.NewSet(parts, "edges"))
	ends := must(entity.NewMap(edges, nodes, 1, []int{7, 6, 5, 4, 3, 2, 1, 0}, "ends", false))
	x, y := must(entity.NewZeros(nodes, 1, loop.Float64, "x")), must(entity.NewZeros(edges, 1, loop.Float64, "y"))
	z := must(entity.NewZeros(edges, 1, loop.Float64, "z"))
	for name, args := range map[string][]entity.Arg{"through a map": {y.Inc(), x.Read(ends.At(0))}, "direct": {y.Inc(), z.Read()}} {
		b, err := bound(edges.All(), "double *y, const double *x", "*y += 1;", args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if m := b.Memory; b.Core != 4 || m.Last != 4 || len(m.Boundaries) > 0 {
			t.Errorf("%s: a core of %d, of %d elements with boundaries %v", name, b.Core, m.Last, m.Boundaries)
		}
	}
}

// A call moves each value once that it reads or writes, and twice if it does both.
func TestTraffic(t *testing.T) {
	m := newMesh()
	for _, test := range []struct {
		name, params, body string
		over               entity.Range
		args               []entity.Arg
		want, operations   int64
	}{
		{"direct", "double *x, const double *y", "*x = *y;", m.nodes.All(), []entity.Arg{m.x.Write(), m.y.Read()}, 6*8 + 6*8, 0},
		{"read and written", "double *x", "*x += 1;", m.nodes.All(), []entity.Arg{m.x.RW()}, 2 * 6 * 8, 6},
		{"index and global", "const int *i, double *sum", "*sum += *i;", m.nodes.All(), []entity.Arg{entity.Index(), m.sum.Inc()}, 0, 6},
		{"through a map", "double *y, const float *l", "*y += l[0];", m.edges.All(), []entity.Arg{m.y.Inc(m.ends.At(0)), m.length.Read()}, 5*2*4 + 2*5*8 + 5*2*4, 5},
		{"no more than there is", "const double *x[2], float *l", "l[0] = *x[0]; l[1] = *x[1];", m.edges.All(), []entity.Arg{m.x.Read(m.ends.Via()), m.length.Write()}, 5*2*4 + 6*8 + 5*2*4, 0},
		{"subset", "double *y, const float *l", "*y += l[0];", m.some.All(), []entity.Arg{m.y.Inc(m.ends.At(0)), m.length.Read()}, 2*2*4 + 2*2*8 + 2*2*4, 2},
	} {
		b, err := bound(test.over, test.params, test.body, test.args...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if got, operations := b.Traffic(), b.Operations(); got != test.want || operations != test.operations {
			t.Errorf("%s: %d bytes and %d operations, want %d and %d", test.name, got, operations, test.want, test.operations)
		}
	}
}
