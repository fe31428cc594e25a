package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed optional_kernels_test.go
var optionalSource string

// barInC is bar, with the forms of the condition that C has.
const barInC = `#include <stddef.h>
void bar(double *sum, double *x[2], const double *weight, double loads[3], double force[2][2], double *total, const int *number)
{
	*sum = x[0][0] + 2 * x[1][0];
	*sum *= weight ? *weight : 1;
	if (loads != 0)
		for (int i = 0; i < 3; i++)
			*sum += loads[i];
	if (number && !(number == NULL))
		*sum += *number % 7;
	if (total)
		*total += *sum;
	if (!force)
		return;
	force[0][0] += *sum;
	force[1][1] -= 1;
}`

// frame is a program with loops that leave out arguments, which it compares with plain loops.
type frame struct {
	inC, renumber, chain bool
	patterns             []int // bits for what is there: the arguments of bar from the third on
}

func (c frame) run(rt *op2.Runtime) error {
	const bars, joints = 230, 170
	ends, xs, ws, ls := make([]int, 2*bars), make([]float64, joints), make([]float64, bars), make([]float64, 3*bars)
	for i := range ends {
		ends[i] = (i*i + 7*i + i%3) % joints
	}
	for e := range bars { // no bar begins where it ends
		if ends[2*e] == ends[2*e+1] {
			ends[2*e+1] = (ends[2*e] + 1) % joints
		}
	}
	fill := func(v []float64, by int) {
		for i := range v {
			v[i] = float64(i%by) - 2
		}
	}
	fill(xs, 11)
	fill(ws, 5)
	fill(ls, 7)
	bar_, joint := rt.NewSet(bars, "bars"), rt.NewSet(joints, "joints")
	b2j := op2.NewMap(bar_, joint, 2, ends, "b2j")
	x, weight, loads := op2.NewDat(joint, 1, xs, "x"), op2.NewDat(bar_, 1, ws, "weight"), op2.NewDat(bar_, 3, ls, "loads")
	sum, force, total := op2.NewDat[float64](bar_, 1, nil, "sum"), op2.NewDat[float64](joint, 2, nil, "force"), op2.NewGlobal(rt, []float64{0}, "total")
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return err
		}
	}
	k := op2.Kernels(optionalSource).Func(bar)
	if c.inC {
		k = ckernel.New("bar", barInC)
	}
	wantSum, wantForce, wantTotal := make([]float64, bars), make([]float64, 2*joints), 0.0
	var loops []*op2.Loop
	for n, p := range c.patterns {
		there := func(bit int) bool { return p>>bit&1 > 0 }
		none := weight
		if !there(0) {
			none = nil
		}
		args := []op2.Arg{sum.Write(), x.Read(b2j), none.Read().If(there(0)), loads.Read().If(there(1)), force.Inc(b2j).If(there(2)), total.Inc().If(there(3)), op2.Index().If(there(4))}
		if c.chain {
			loops = append(loops, op2.NewLoop(k, bar_, args...))
		} else if err := op2.ParLoop(k, bar_, args...); err != nil {
			return fmt.Errorf("pattern %d, number %d: %w", p, n, err)
		}
		for e := range bars {
			s := xs[ends[2*e]] + 2*xs[ends[2*e+1]]
			if there(0) {
				s *= ws[e]
			}
			for _, l := range ls[3*e : 3*e+3] {
				if there(1) {
					s += l
				}
			}
			if there(4) {
				s += float64(e % 7)
			}
			if there(2) {
				wantForce[2*ends[2*e]] += s
				wantForce[2*ends[2*e+1]+1] -= 1
			}
			if there(3) {
				wantTotal += s
			}
			wantSum[e] = s
		}
	}
	if c.chain {
		if err := op2.NewChain(loops...).Compute(); err != nil {
			return err
		}
	}
	got, err := total.Data()
	if err == nil && got[0] != wantTotal {
		err = fmt.Errorf("total is %v, want %v", got[0], wantTotal)
	}
	return errors.Join(err, rt.Err(), same(sum, wantSum), same(force, wantForce))
}

// Arguments that calls leave out, in all combinations, and in what else a program may do.
func TestOptional(t *testing.T) {
	var all []int
	for p := range 32 {
		all = append(all, p)
	}
	few := []int{31, 0, 21, 10, 31}
	for _, test := range []struct {
		name    string
		program frame
		ranks   int
		options []op2.Option
	}{
		{"go", frame{patterns: all}, 1, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"go on ranks", frame{patterns: all}, 3, []op2.Option{op2.WithBackend("go")}},
		{"C on go", frame{patterns: all, inC: true}, 1, []op2.Option{op2.WithBackend("go")}},
		{"lazy", frame{patterns: all}, 1, []op2.Option{op2.WithBackend("go"), op2.WithLazy(true)}},
		{"renumbered", frame{patterns: few, renumber: true}, 2, []op2.Option{op2.WithBackend("go")}},
		{"same bits", frame{patterns: few}, 3, []op2.Option{op2.WithBackend("go"), op2.WithSameBits(true)}},
		{"sequential", frame{patterns: few}, 1, []op2.Option{op2.WithBackend("sequential"), op2.WithDiags(true)}},
		{"C on sequential", frame{patterns: few, inC: true}, 1, []op2.Option{op2.WithBackend("sequential")}},
		{"openmp", frame{patterns: few}, 2, []op2.Option{op2.WithBackend("openmp")}},
		{"C on openmp with diagnostics", frame{patterns: few, inC: true}, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithDiags(true)}},
		{"chain", frame{patterns: few, chain: true}, 1, []op2.Option{op2.WithBackend("openmp")}},
		{"tiles", frame{patterns: few, chain: true}, 1, []op2.Option{op2.WithBackend("sequential"), op2.WithChains(op2.Tile)}},
		{"fused", frame{patterns: few, chain: true}, 2, []op2.Option{op2.WithBackend("sequential"), op2.WithChains(op2.Fuse)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := optest.OnRanks(test.ranks, test.program.run, append(test.options, op2.WithLog(nil))...); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOptionalOnDevices(t *testing.T) {
	optest.NotShort(t)
	for _, inC := range []bool{false, true} {
		eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
			if err := (frame{patterns: []int{31, 0, 21, 10, 31}, inC: inC}).run(open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// What is left out is checked where it is given, and is not to be used.
func TestOptionalErrors(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	s, other := rt.NewSet(2, "s"), rt.NewSet(2, "others")
	sum, weight, loads := op2.NewDat[float64](s, 1, nil, "sum"), op2.NewDat[float64](s, 1, nil, "weight"), op2.NewDat[float64](s, 2, nil, "loads")
	far, small := op2.NewDat[float64](other, 1, nil, "far"), op2.NewDat[float32](s, 1, nil, "small")
	pairs := op2.NewMap(s, other, 1, []int{0, 1}, "pairs")
	var none *op2.Dat[float64]
	k := op2.Kernels(optionalSource)
	inC := ckernel.New("late", "void late(double *sum, const double *weight) { *sum = *weight; if (weight) *sum = 1; }")
	for _, test := range []struct {
		loop *op2.Loop
		want string
	}{
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read(), loads.Read().If(false)), ""},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read(), none.Read().If(false)), ""},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read(), loads.Read(nil).If(false)), ""},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read().If(false), loads.Read()), "weight is used, but the call leaves it out"},
		{op2.NewLoop(inC, s, sum.Write(), weight.Read().If(false)), "if (weight) { ... }"},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), none.Read(), loads.Read()), "argument 2 (nil, read): the dat is nil"},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read(), far.Read().If(false)), "argument 3 (far, read): far is on others"},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), far.Read(pairs).If(false), far.Read()), "argument 3 (far, read): far is on others"},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read(), small.Read().If(false)), "small holds 1 float32"},
		{op2.NewLoop(k.Func(bar), s, sum.Write(), small.Read().If(false)), "the kernel takes 7 arguments, 2 were given"},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read(), weight.Read().If(false), weight.Read().If(false)), "the kernel takes 3 arguments, 4 were given"},
		{op2.NewLoop(k.Func(careless), s, sum.Write(), weight.Read(), sum.Write()), "argument 3 (sum, written): sum is also argument 1"},
		{op2.NewLoop(k.Func(either), s, sum.Read().If(false), sum.Read().If(false)), "the source given has no function either"},
		{op2.NewLoop(ckernel.New("f", "void f(double *x) { if (x) *x = 1; }"), s, sum.Write().If(false)), "all arguments are left out"},
	} {
		if err := test.loop.Err(); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}
