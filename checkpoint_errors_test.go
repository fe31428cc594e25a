package op2_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// checkpointOf makes a program stop at step 8, and returns the folder of its checkpoints, of which the last is number 8.
func checkpointOf(t *testing.T, ranks int, c circle) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "run.chk")
	c.explicit, c.until = folder, func(step int) bool { return step == 8 }
	if _, _, err := c.on(ranks, op2.WithBackend("go")); err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Fatalf("not stopped, but %v", err)
	}
	return folder
}

// Checkpoints that do not belong to a program, or are damaged, are errors that name what differs.
func TestRestartErrors(t *testing.T) {
	another := func(c circle) func(t *testing.T, folder string) circle {
		return func(*testing.T, string) circle { return c }
	}
	change := func(file string, change func([]byte) []byte) func(*testing.T, string) circle {
		return func(t *testing.T, folder string) circle {
			for _, n := range []string{"000008", "000009"} {
				path := filepath.Join(folder, n, file)
				optest.OK(t, os.WriteFile(path, change(optest.Must(os.ReadFile(path))), 0o666))
			}
			return circle{nodes: 30}
		}
	}
	for _, test := range []struct {
		name   string
		change func(t *testing.T, folder string) circle
		want   string
	}{
		{"no folder", func(t *testing.T, folder string) circle {
			optest.OK(t, os.RemoveAll(folder))
			return circle{nodes: 30}
		}, "op2: restart from DIR: there is no such folder"},
		{"nothing complete", func(t *testing.T, folder string) circle {
			for _, n := range []string{"000008", "000009"} {
				optest.OK(t, os.Remove(filepath.Join(folder, n, "index")))
			}
			return circle{nodes: 30}
		}, "op2: restart from DIR: the folder has no complete checkpoint"},
		{"another mesh", another(circle{nodes: 31}),
			"op2: restart from DIR: it is of another program, or of another mesh: it has dat old on nodes with 2 float64 for each of 30 nodes, the program with 2 float64 for each of 31 nodes"},
		{"another mesh of the same sizes", another(circle{nodes: 30, seed: 1}),
			"op2: restart from DIR: it is of another program, or of another mesh: it has map edge2node from edges to nodes with the digest "},
		{"another dat", another(circle{nodes: 30, declare: func(_ *op2.Runtime, on *op2.Set) { op2.NewDat[int32](on, 1, nil, "color") }}),
			"op2: restart from DIR: it is of another program, or of another mesh: the program has dat color on nodes, which it has not"},
		{"another value", another(circle{nodes: 30, declare: func(rt *op2.Runtime, _ *op2.Set) { rt.Keep("level", new(int32)) }}),
			"op2: restart from DIR: it is of another program, or of another mesh: the program has kept level, which it has not"},
		{"damaged rows", change("part-00001", func(data []byte) []byte { data[100] ^= 1; return data }),
			"op2: restart from DIR: none of its checkpoints can be used: DIR/000008/part-00001 is damaged: the check sum of numbers of set 0 is "},
		{"truncated", change("part-00000", func(data []byte) []byte { return data[:len(data)-8] }),
			"op2: restart from DIR: none of its checkpoints can be used: DIR/000008/part-00000 has "},
		{"damaged index", change("index", func(data []byte) []byte { data[30] ^= 1; return data }),
			"op2: restart from DIR: none of its checkpoints can be used: DIR/000008/index is damaged: its check sum is "},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := checkpointOf(t, 2, circle{nodes: 30})
			_, _, err := test.change(t, folder).on(1, op2.WithBackend("go"), op2.WithRestart(folder))
			if got := strings.ReplaceAll(fmt.Sprint(err), folder, "DIR"); !strings.HasPrefix(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// A damaged checkpoint is passed over, which the log says, and ranks do that together.
func TestRestartFallsBack(t *testing.T) {
	want, _, err := circle{nodes: 30}.on(1, op2.WithBackend("go"))
	optest.OK(t, err)
	folder := checkpointOf(t, 1, circle{nodes: 30})
	path := filepath.Join(folder, "000009", "part-00000")
	optest.OK(t, os.WriteFile(path, optest.Must(os.ReadFile(path))[:100], 0o666))
	var log bytes.Buffer
	first := -1
	got, _, err := circle{nodes: 30, until: func(step int) bool {
		if first < 0 {
			first = step
		}
		return false
	}}.on(1, op2.WithBackend("go"), op2.WithRestart(folder), op2.WithLog(&log))
	optest.OK(t, err)
	if first != 7 || !strings.Contains(log.String(), "000009 cannot be used: ") || !strings.Contains(log.String(), "goes on from the checkpoint "+filepath.Join(folder, "000008")+": step 7") {
		t.Errorf("goes on from step %d:\n%s", first, &log)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("value %d is %v, not %v", i, got[i], want[i])
		}
	}
}

// What a checkpoint has left out cannot be read, until it has been replaced.
func TestRestartWithoutValues(t *testing.T) {
	folder := checkpointOf(t, 2, circle{nodes: 30})
	optest.OK(t, os.RemoveAll(filepath.Join(folder, "000009"))) // which has everything, as nothing followed it
	kernels := op2.Kernels(checkpointSource)
	read := func(step int) func(rt *op2.Runtime, old *op2.Dat[float64], n int) error {
		return func(rt *op2.Runtime, old *op2.Dat[float64], n int) error {
			if n != step {
				return nil
			}
			return op2.ParLoop(kernels.Func(readsOld), old.Set(), old.Read(), op2.NewGlobal(rt, []float64{0}, "total").Inc())
		}
	}
	for _, ranks := range []int{1, 2} {
		_, _, err := circle{nodes: 30, more: read(7)}.on(ranks, op2.WithBackend("go"), op2.WithRestart(folder))
		want := "loop readsOld over nodes: dat old on nodes has no values: the checkpoint " + folder + " left them out, and the program reads them before it replaces them"
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%d ranks: %v", ranks, err)
		}
		if _, _, err := (circle{nodes: 30, more: read(8)}).on(ranks, op2.WithBackend("go"), op2.WithRestart(folder)); err != nil {
			t.Errorf("%d ranks, a step later: %v", ranks, err)
		}
	}
}

// What a program carries from one checkpoint to the next must be there at the first.
func TestCheckpointErrors(t *testing.T) {
	kernels := op2.Kernels(checkpointSource)
	var late *op2.Dat[float64]
	for _, test := range []struct {
		name string
		c    circle
		want string
	}{
		{"a dat of each step", circle{more: func(rt *op2.Runtime, _ *op2.Dat[float64], _ int) error {
			own := op2.NewDat[float64](late.Set(), 1, nil, "temporary")
			return op2.ParLoop(kernels.Func(countsUp), own.Set(), own.RW())
		}}, ""},
		{"a dat that is declared later", circle{more: func(rt *op2.Runtime, _ *op2.Dat[float64], step int) error {
			if step == 3 {
				late = op2.NewDat[float64](late.Set(), 1, nil, "late")
			}
			if step < 3 {
				return nil
			}
			return op2.ParLoop(kernels.Func(countsUp), late.Set(), late.RW())
		}}, "dat late on nodes was declared after the first Checkpoint, and the program carries its values from one to the next\n  hint: declare it before"},
		{"a value that is kept later", circle{more: func(rt *op2.Runtime, _ *op2.Dat[float64], step int) error { return rt.Keep("late", &step) }},
			"op2: Keep: late: the first Checkpoint has been already\n  hint: call Keep before"},
		{"a value twice", circle{declare: func(rt *op2.Runtime, on *op2.Set) {
			late = op2.NewDat[float64](on, 1, nil, "early")
			rt.Keep("step", new(int))
		}}, "op2: Keep: step: there is a value of that name already"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := test.c
			c.nodes, c.explicit = 30, filepath.Join(t.TempDir(), "run.chk")
			if c.declare == nil {
				c.declare = func(_ *op2.Runtime, on *op2.Set) { late = op2.NewDat[float64](on, 1, nil, "early") }
			}
			_, _, err := c.on(1, op2.WithBackend("go"))
			if test.want == "" && err != nil || test.want != "" && !strings.Contains(fmt.Sprint(err), test.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	rt := optest.Must(op2.Open(op2.WithLog(io.Discard), op2.WithBackend("go")))
	defer rt.Close()
	for _, err := range []error{rt.Keep("a", 1), rt.Keep("a", (*int)(nil)), rt.Keep("a", new(string))} {
		if err == nil {
			t.Error("kept")
		}
	}
	if !errors.Is(rt.Keep("a", new(int)), nil) {
		t.Error("not kept")
	}
}

// A checkpoint has the matrices that the program carries from step to step and has changed since the first place; those
// that are assembled before that, or zeroed in each step, need not be saved.
func TestCheckpointOfMatrices(t *testing.T) {
	kernels := op2.Kernels(checkpointSource)
	type matrix struct {
		k                        *op2.Mat[float64]
		into                     *op2.Map
		first                    *op2.Subset
		assemble, apply, product func() error
	}
	constrained := "mat k has changed since the first Checkpoint, conditions on first have been applied to it, and the program carries it from one to the next"
	for _, test := range []struct {
		name  string
		step  func(m *matrix, n int) error
		state string // of the matrix, in the last checkpoint
		want  string // an error; "" if there is none
	}{
		{"assembled before", func(m *matrix, n int) error { return m.product() }, "unchanged", ""},
		{"assembled in each step", func(m *matrix, n int) error {
			return errors.Join(m.k.Zero(), m.assemble(), m.product())
		}, "unneeded", ""},
		{"added to in each step", func(m *matrix, n int) error { return errors.Join(m.assemble(), m.product()) }, "saved", ""},
		{"assembled once within the steps", func(m *matrix, n int) error {
			if n == 1 {
				return errors.Join(m.k.Zero(), m.assemble(), m.assemble(), m.product())
			}
			return m.product()
		}, "saved", ""},
		{"conditions applied in each step", func(m *matrix, n int) error {
			return errors.Join(m.k.Zero(), m.assemble(), m.apply(), m.product())
		}, "unneeded", ""},
		{"conditions applied once within the steps", func(m *matrix, n int) error {
			if n == 1 {
				return errors.Join(m.k.Zero(), m.assemble(), m.apply(), m.product())
			}
			return m.product()
		}, "saved", ""},
		{"later conditions applied once within the steps", func(m *matrix, n int) error {
			if n == 1 {
				return errors.Join(m.k.Zero(), m.assemble(), op2.NewDirichlet(op2.Fix(m.first, 1.0)).Apply(m.k, nil), m.product())
			}
			return m.product()
		}, "", constrained},
		{"other values of a map", func(m *matrix, n int) error {
			return m.into.SetValues([]int32{1, 2, 3, 0})
		}, "", "op2: Checkpoint: values of maps have changed since the first Checkpoint, and checkpoints have no maps"},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "run.chk")
			run := func(last int, options ...op2.Option) (_ []float64, err error) {
				rt := optest.Must(op2.Open(append(options, op2.WithBackend("go"), op2.WithLog(nil))...))
				defer func() { err = errors.Join(err, rt.Close()) }()
				m := &matrix{}
				nodes, edges := rt.NewSet(4, "nodes"), rt.NewSet(4, "edges")
				ends := op2.NewMap(edges, nodes, 2, []int32{0, 1, 1, 2, 2, 3, 3, 0}, "ends")
				m.into = op2.NewMap(edges, nodes, 1, []int32{0, 1, 2, 3}, "into")
				x, y := op2.NewDat(nodes, 1, []float64{1, 2, 4, 8}, "x"), op2.NewDat[float64](nodes, 1, nil, "y")
				m.k = op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: ends, Cols: ends}}, 1, 1, "pattern"), "k")
				m.assemble = func() error {
					return op2.ParLoop(kernels.Func(couples), edges, m.k.Inc(ends, ends))
				}
				m.first = op2.NewSubset(nodes, []int{0}, "first")
				conditions := op2.NewDirichlet(op2.Fix(m.first, 1.0))
				m.apply = func() error { return conditions.Apply(m.k, op2.NewDat[float64](nodes, 1, nil, "b")) }
				m.product = func() error { return errors.Join(m.k.Mul(y, x), x.AXPY(-0.1, y)) }
				n := 0
				if err := errors.Join(rt.Err(), m.assemble(), rt.Keep("n", &n)); err != nil {
					return nil, err
				}
				for ; n < last; n++ {
					if err := errors.Join(rt.Checkpoint(folder), test.step(m, n)); err != nil {
						return nil, err
					}
				}
				return x.InDeclaredOrder()
			}
			_, err := run(4)
			if test.want == "" && err != nil || test.want != "" && !strings.Contains(fmt.Sprint(err), test.want) {
				t.Fatalf("got %v", err)
			}
			if test.want != "" {
				return
			}
			names, err := os.ReadDir(folder)
			optest.OK(t, err)
			index := string(optest.Must(os.ReadFile(filepath.Join(folder, names[len(names)-2].Name(), "index"))))
			if !regexp.MustCompile(`"mat k",\s*"Nth": 0,\s*"State": "` + test.state + `"`).MatchString(index) {
				t.Errorf("k is not %s:\n%s", test.state, index)
			}
			got, err := run(6, op2.WithRestart(folder))
			optest.OK(t, err)
			optest.OK(t, os.RemoveAll(folder))
			want, err := run(6)
			optest.OK(t, err)
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("got %v, want %v", got, want)
					break
				}
			}
		})
	}
}
