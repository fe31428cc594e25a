package op2_test

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed rankerrors_test.go
var rankErrorsSource string

func byNumber(x *float64, number *int) { *x = float64(*number) }

func swapAlong(x0, x1, y0, y1 *float64) {
	*y0 += *x1
	*y1 += *x0
}

func divide(k *int32, x *float64) { *x = float64(60 / *k) }

func overflow(k *int32, x *float64) {
	if *k == 0 {
		*x /= 0
	}
}

func tallyNodes(k *int32, n *int64) { *n++ }

// ringProgram is a program on a ring of nodes, of which it declares shares.
type ringProgram struct {
	rt           *op2.Runtime
	nodes, edges *op2.Set
	ends         *op2.Map
	x, y         *op2.Dat[float64]
	k            *op2.Dat[int32] // zero on an element of rank 1
	cancel       context.CancelCauseFunc
}

// perRank is the number of nodes and edges of each rank.
const perRank = 4

func newRingProgram(rt *op2.Runtime) (*ringProgram, error) {
	r := &ringProgram{rt: rt}
	r.nodes, r.edges = rt.NewSetShare(perRank, "nodes"), rt.NewSetShare(perRank, "edges")
	k := []int32{1, 2, 3, 4}
	if rt.Rank() == 1 {
		k[2] = 0
	}
	r.ends = op2.NewMap(r.edges, r.nodes, 2, r.ends2(), "ends")
	r.x, r.y = op2.NewDat[float64](r.nodes, 1, nil, "x"), op2.NewDat[float64](r.nodes, 1, nil, "y")
	r.k = op2.NewDat(r.nodes, 1, k, "k")
	return r, rt.Err()
}

// ends2 returns the values of the map of this rank.
func (r *ringProgram) ends2() []int64 {
	var values []int64
	for i := range perRank {
		e := r.rt.Rank()*perRank + i
		values = append(values, int64(e), int64((e+1)%(perRank*r.rt.Ranks())))
	}
	return values
}

func kernel(f any) *op2.Kernel { return op2.Kernels(rankErrorsSource).Func(f) }

// run runs loops that exchange values.
func (r *ringProgram) run(times int) error {
	for range times {
		if err := op2.ParLoop(kernel(swapAlong), r.edges, r.x.Read(r.ends.At(0)), r.x.Read(r.ends.At(1)), r.y.Inc(r.ends.At(0)), r.y.Inc(r.ends.At(1))); err != nil {
			return err
		}
		if err := r.x.Copy(r.y); err != nil {
			return err
		}
	}
	return nil
}

// rankError is a program that fails, on three ranks, and what it says.
type rankError struct {
	name     string
	options  func(rank int) []op2.Option
	requires string
	run      func(r *ringProgram) error // between loops
	want     string                     // the text, in which … stands for any; "" if it does not fail
	mpi      string                     // of processes, if it is another; "-" if they end, or not all fail
	check    func(err error) error
}

// newLoop prepares a loop, which is wrong on some ranks.
func (r *ringProgram) newLoop(wrong ...int) *op2.Loop {
	over := r.nodes
	if slices.Contains(wrong, r.rt.Rank()) {
		over = r.edges
	}
	return op2.NewLoop(kernel(divide), over, r.k.Read(), r.x.Write())
}

func is[E error](err error) error {
	if e := *new(E); !errors.As(err, &e) {
		return fmt.Errorf("there is no %T", e)
	}
	return nil
}

func rankErrors() []rankError {
	const wrong = "loop divide over edges: argument 1 (k, read): k is on nodes, the loop is over edges\n  hint: pass it through a map from edges to nodes"

	return []rankError{
		{name: "none", run: func(r *ringProgram) error { return nil }},
		{name: "statistics", options: with(op2.WithStats(true)), run: func(r *ringProgram) error { return nil }},
		{name: "own error", run: onRank(2, func(r *ringProgram) error { return errors.New("no such file") }), want: "op2: rank 2: no such file", mpi: "-"},
		{name: "own error with statistics", options: with(op2.WithStats(true)), run: onRank(2, func(r *ringProgram) error { return errors.New("no such file") }),
			want: "op2: rank 2: no such file", mpi: "-"},
		{name: "wrapped", run: onRank(2, func(r *ringProgram) error {
			return fmt.Errorf("more: %w", op2.NewDat[float64](r.nodes, 0, nil, "z").Err())
		}), want: "op2: rank 2: more: op2: rank 2: dat z on nodes: a dim of at least 1 is needed, 0 was given", mpi: "…dat z on nodes: a dim of at least 1 is needed, 0 was given", check: is[*op2.ShapeError]},

		// Declarations.
		{name: "size", run: onRank(1, func(r *ringProgram) error { return op2.NewDat(r.nodes, 2, make([]float64, 7), "z").Err() }),
			want: "op2: rank 1: dat z on nodes: 8 values are needed, 2 for each of 4 nodes; 7 were given", check: is[*op2.ShapeError]},
		{name: "different", run: func(r *ringProgram) error {
			if _, err := r.rt.AnyRank(false); err != nil { // all come here
				return err
			}
			return op2.NewDat[float64](r.nodes, -min(1, r.rt.Rank()), nil, "z").Err()
		},
			want: "op2: rank 0: dat z on nodes: a dim of at least 1 is needed, 0 was given\nranks 1-2: dat z on nodes: a dim of at least 1 is needed, -1 was given",
			mpi:  "…dat z on nodes: a dim of at least 1 is needed, …"}, // of the ranks that fail in time; all of them in TestRankPrograms
		{name: "blocks", run: func(r *ringProgram) error {
			return op2.NewSquareSparsity(r.ends, 1-r.rt.Rank()%2, "pattern").Err()
		},
			want: "op2: rank 1: sparsity pattern of nodes by nodes: blocks of at least 1 × 1 are needed, 0 × 0 was given", check: is[*op2.ShapeError]},

		// Loops.
		{name: "loop", run: func(r *ringProgram) error { return r.newLoop(1).Err() }, want: "op2: rank 1: " + wrong, check: is[*op2.ArgError]},
		{name: "loop over nil", run: func(r *ringProgram) error {
			var over *op2.Set
			if r.rt.Rank() != 1 {
				over = r.nodes
			}
			return op2.NewLoop(kernel(divide), over, r.k.Read(), r.x.Write()).Err()
		}, want: "op2: rank 1: NewLoop of kernel divide: the set is nil, or was not made by NewSet or NewSubset"},
		{name: "loop everywhere", run: func(r *ringProgram) error { return r.newLoop(0, 1, 2).Err() }, want: "op2: ranks 0-2: " + wrong, mpi: "op2: " + wrong},
		{name: "handled", run: func(r *ringProgram) error {
			if err := r.newLoop(2).Err(); err == nil {
				return errors.New("no error")
			}
			return r.newLoop().Err()
		}},
		{name: "one rank alone", run: onRank(1, func(r *ringProgram) error { return r.newLoop().Err() }),
			want: "…rank 1: it waits in NewLoop (rankerrors_test.go:…) for others to call Reduce of 1 int64 with inc, while all other ranks wait too: they do not make the same calls…",
			mpi: "…rank 0: loop swapAlong over edges: the ranks do not make the same calls, and wait for each other: " +
				"ranks 0, 2 in ParLoop (rankerrors_test.go:…), rank 1 in NewLoop (rankerrors_test.go:…)\n" +
				"  hint: all ranks make the same calls in the same order; OP2_DIAGS=on finds the first that differs"},
		{name: "gathered by one rank", run: onRank(0, func(r *ringProgram) error { return optest.Last(r.x.Gather(0)) }),
			want: "…rank 0: it waits in Dat.Gather (rankerrors_test.go:…) for others to call Consensus, while all…",
			mpi:  "…rank 0 in Dat.Gather (rankerrors_test.go:…), ranks 1-2 in ParLoop (…"},
		{name: "gathered on different ranks", run: func(r *ringProgram) error { return optest.Last(r.x.Gather(r.rt.Rank())) },
			want: "op2: ranks 0-2: not all ranks gather on the same one", mpi: "…not all ranks gather on the same one"},
		{name: "gathered by one rank at the end", run: func(r *ringProgram) error {
			if r.rt.Rank() == 0 {
				return optest.Last(r.x.Gather(0))
			}
			return errDone
		}, want: "op2: rank 0: rank …: it has ended the communication, and rank 0 waits for it in Dat.Gather (rankerrors_test.go:…)", mpi: "-"},
		{name: "different calls", run: func(r *ringProgram) error {
			if r.rt.Rank() == 0 {
				return optest.Last(r.x.Gather(0))
			}
			return optest.Last(r.x.Norm())
		}, want: "op2: rank 0: the ranks do not make the same calls: rank … has called …, rank …\nrank…: …, rank …", // with the place of each
			mpi: "…do not make the same calls, and wait for each other: rank 0 in Dat.Gather (rankerrors_test.go:…), ranks 1-2 in Dat.Norm (rankerrors_test.go:…"},
		{name: "a sum that nobody waits for", run: func(r *ringProgram) error {
			total := op2.NewGlobal(r.rt, []int64{0}, "total")
			for range 1 + r.rt.Rank()%2 {
				if err := op2.ParLoop(kernel(tallyNodes), r.nodes, r.k.Read(), total.Inc()); err != nil {
					return err
				}
			}
			if r.rt.Rank() == 1 {
				return optest.Last(r.x.Norm())
			}
			return optest.Last(r.x.Gather(0))
		}, want: "…the ranks do not make the same calls: rank … has called …, rank …",
			mpi: "…do not make the same calls, and wait for each other: ranks 0, 2 in Dat.Gather (rankerrors_test.go:…), rank 1 in Dat.Norm (rankerrors_test.go:…"},
		{name: "cached loop", run: onRank(1, func(r *ringProgram) error { return op2.ParLoop(kernel(divide), r.edges, r.k.Read(), r.x.RW()) }), want: "op2: rank 1: " + wrong},
		{name: "fault", run: func(r *ringProgram) error { return op2.ParLoop(kernel(divide), r.nodes, r.k.Read(), r.x.Write()) },
			want: "op2: rank 1: loop divide over nodes: rankerrors_test.go:…: integer divide by zero…", check: is[*op2.FaultError]},
		{name: "not finite", options: with(op2.WithDiags(true)),
			run: func(r *ringProgram) error { return op2.ParLoop(kernel(overflow), r.nodes, r.k.Read(), r.x.RW()) }, want: "op2: rank 1: loop overflow over nodes: …", check: is[*op2.ValueError]},

		// Ranks that end.
		{name: "panic", run: onRank(1, func(r *ringProgram) error { panic("no") }), want: "op2: rank 1: panic: no\n…rankerrors_test.go…", mpi: "-"},
		{name: "goexit", run: onRank(1, func(r *ringProgram) error { runtime.Goexit(); return nil }), want: "op2: rank 1: its goroutine has ended", mpi: "-"},
		{name: "closed", run: onRank(1, func(r *ringProgram) error { return errDone }), want: "…loop swapAlong over edges: rank 1: it has ended the communication, and rank … waits for it in ParLoop (rankerrors_test.go:…)", mpi: "-", check: is[*op2.RankError]},
		{name: "context", run: onRank(1, func(r *ringProgram) error { r.cancel(errors.New("interrupted")); return nil }),
			want: "op2: rank 1: loop swapAlong over edges: interrupted"},
		{name: "backend", options: onlyOn(1, op2.WithBackend("opencl"), op2.WithDevice("none such")), want: "op2: rank 1: backend opencl: …"},
		{name: "compiler", requires: "cc", options: func(rank int) []op2.Option {
			if rank == 1 {
				return []op2.Option{op2.WithBackend("openmp"), op2.WithCompiler("false")}
			}
			return []op2.Option{op2.WithBackend("sequential")}
		}, want: "op2: rank 1: loop swapAlong over edges: compiling swapAlong: …", check: is[*op2.CompileError]},
	}
}

// onRank does something on one rank.
func onRank(rank int, f func(r *ringProgram) error) func(r *ringProgram) error {
	return func(r *ringProgram) error {
		if r.rt.Rank() == rank {
			return f(r)
		}
		return nil
	}
}

func with(options ...op2.Option) func(int) []op2.Option {
	return func(int) []op2.Option { return options }
}

func onlyOn(only int, options ...op2.Option) func(int) []op2.Option {
	return func(rank int) []op2.Option {
		if rank == only {
			return options
		}
		return nil
	}
}

// errDone ends the program of a rank without an error.
var errDone = errors.New("done")

// program is what each rank runs.
func (c *rankError) program(options ...op2.Option) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if c.options != nil {
		// A static runtime knows the ranks that it was opened with, and communicates with none.
		static := (*entity.Runtime)(optest.Must(op2.Open(append(options, op2.Static())...)))
		options = append(options, c.options(cmp.Or(static.Config().Comm, comm.Alone).Rank())...)
	}
	rt, err := op2.Open(append([]op2.Option{op2.WithContext(ctx), op2.WithLog(nil)}, options...)...)
	if err != nil {
		return err
	}
	defer rt.Close()
	r, err := newRingProgram(rt)
	if err != nil {
		return err
	}
	r.cancel = cancel
	if err := r.run(2); err != nil {
		return err
	}
	switch err := c.run(r); err {
	case nil:
		return r.run(3)
	case errDone:
		return nil
	default:
		return err
	}
}

// An error of a rank ends all, and is reported once, with the rank.
func TestRankErrors(t *testing.T) {
	for _, c := range rankErrors() {
		t.Run(c.name, func(t *testing.T) {
			if c.requires == "cc" {
				optest.RequireCompiler(t)
			}
			t.Parallel()
			err := op2.RunRanks(3, func(rank op2.Option) error { return c.program(rank, op2.WithBackend("go")) })
			c.expect(t, err, c.want)
			if err != nil && c.check != nil {
				if err := c.check(err); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// expect fails the test unless an error says what is wanted.
func (c *rankError) expect(t *testing.T, err error, want string) {
	t.Helper()
	if !says(err, want) {
		t.Errorf("%s: got:\n%s\nwant:\n%s", c.name, text(err), want)
	}
}

// says reports whether an error has a text, in which … stands for any.
func says(err error, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", "(.|\n)*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(text(err))
}

// text returns the text of an error, "" of none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return optest.ErrorText(err)
}

// Processes of an MPI job return the same errors, on all ranks.
func TestRankErrorsOfProcesses(t *testing.T) {
	if !mpitest.Inside() {
		t.Parallel()
		mpitest.Run(t, mpitest.OpenMPI, 3, "TestRankErrorsOfProcesses")
		return
	}
	for _, c := range rankErrors() {
		if c.mpi == "-" {
			continue
		}
		if _, missing := exec.LookPath("cc"); c.requires == "cc" && missing != nil {
			continue
		}
		want := c.mpi
		if want == "" && c.want != "" { // others also say where they have learned of it
			want = "…" + strings.TrimPrefix(c.want, "op2: ")
		}
		err := c.onProcesses(t, 1)
		if late := !says(err, want); optest.Must(anyProcess(t, late)) { // on a busy machine, a rank may have been too late
			err = c.onProcesses(t, 20)
		}
		c.expect(t, err, want)
	}
}

// onProcesses returns the error of the program on this rank of an MPI job.
func (c *rankError) onProcesses(t *testing.T, patience time.Duration) error {
	t.Helper()
	rank, end, err := op2.QuickRank(patience)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	return c.program(rank, op2.WithBackend("go"))
}

// anyProcess reports whether something is so on any rank of an MPI job.
func anyProcess(t *testing.T, is bool) (bool, error) {
	t.Helper()
	rank, end, err := op2.QuickRank(20)
	if err != nil {
		return false, err
	}
	defer end()
	rt, err := op2.Open(rank, op2.WithBackend("go"), op2.WithLog(nil))
	if err != nil {
		return false, err
	}
	defer rt.Close()
	return rt.AnyRank(is)
}

// Calls that return an error tell the other ranks: none releases the runtime without it.
func TestVerbsReportErrors(t *testing.T) {
	for _, file := range optest.Must(filepath.Glob("*.go")) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := optest.Must(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))
		for _, d := range f.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Type.Results == nil || !returnsError(f.Type.Results.List) {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && strings.EqualFold(s.Sel.Name, "leave") {
					t.Errorf("%s: %s calls Leave, and not LeaveWith", file, f.Name.Name)
				}
				return true
			})
		}
	}
}
