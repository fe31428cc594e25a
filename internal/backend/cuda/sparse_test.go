package cuda_test

import (
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/cuda"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

type number interface{ int32 | float32 | float64 }

func TestMain(m *testing.M) { optest.Main(m) }

// fakeSparse compiles a fake cuSPARSE that works on host memory, and sets OP2_CUSPARSE to it. It
// returns access to the library's variables, which are longs.
func fakeSparse(t *testing.T) func(name string) *int64 {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil || runtime.GOOS != "linux" {
		t.Skipf("no C++ compiler: %v", err)
	}
	path := filepath.Join(t.TempDir(), "libcusparse.so.12")
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-w", "-o", path, "../../cuda/cusparse/testdata/fakecusparse.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l, err := native.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("OP2_CUSPARSE", path)
	return func(name string) *int64 {
		address, err := l.Symbol(name)
		if err != nil {
			t.Fatal(err)
		}
		return *(**int64)(unsafe.Pointer(&address))
	}
}

// line returns the matrix of a line of nodes, with blocks of dim by dim: 2 on the diagonal, -1 next
// to it.
func line[T number](t *testing.T, rt *op2.Runtime, n, dim int) (a *op2.Mat[T], nodes *op2.Set) {
	t.Helper()
	nodes = rt.NewSet(n, "nodes")
	edges := rt.NewSet(n-1, "edges")
	ends := make([]int32, 0, 2*n)
	for i := range int32(n - 1) {
		ends = append(ends, i, i+1)
	}
	edge2node := op2.NewMap(edges, nodes, 2, ends, "edge2node")
	a = op2.NewMat[T](op2.NewSparsity([]op2.MapPair{{Rows: edge2node, Cols: edge2node}}, dim, dim, "line"), "line")
	csr := optest.Must(a.CSR())
	for r := range n {
		for k := csr.RowPtr[r]; k < csr.RowPtr[r+1]; k++ {
			for i := range dim {
				value := &csr.Values[int(k)*dim*dim+i*dim+i]
				*value = 2
				if csr.ColIdx[k] != int32(r) {
					*value = -1
				}
			}
		}
	}
	return a, nodes
}

// multiplied checks the product, twice, with the squares of the nodes' numbers, whose second
// difference is 2.
func multiplied[T number](t *testing.T, a *op2.Mat[T], nodes *op2.Set, dim int) {
	t.Helper()
	x, y := op2.NewDat[T](nodes, dim, nil, "x"), op2.NewDat[T](nodes, dim, nil, "y")
	values := optest.Must(x.Data())
	for i := range values {
		e := i / dim
		values[i] = T(e * e)
	}
	for range 2 {
		if err := a.Mul(y, x); err != nil {
			t.Fatal(err)
		}
	}
	n := nodes.Size()
	for i, v := range optest.Must(y.DataRO()) {
		e := i / dim
		if e > 0 && e < n-1 && v != -2 {
			t.Fatalf("y[%d] = %v", i, v)
		}
	}
}

func open(t *testing.T, options ...op2.Option) *op2.Runtime {
	t.Helper()
	registrytest.Add(cuda.Standin("with cuSPARSE"))
	rt, err := op2.Open(append([]op2.Option{op2.WithBackend("with cuSPARSE"), op2.WithLog(nil)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close() })
	return rt
}

func strategy(t *testing.T, rt *op2.Runtime, kernel string) string {
	t.Helper()
	for _, s := range rt.Stats() {
		if s.Kernel == kernel {
			return s.How
		}
	}
	t.Fatalf("no %s in %v", kernel, rt.Stats())
	return ""
}

// The library multiplies where it can; otherwise Stats says why not.
func TestSparse(t *testing.T) {
	for _, test := range []struct {
		name     string
		multiply func(*testing.T, *op2.Runtime)
		options  []op2.Option
		variable string // OP2_CUSPARSE; empty: the library
		failing  string
		want     string
	}{
		{"float64", of[float64](1), nil, "", "", "cuSPARSE 12.5"},
		{"float32", of[float32](1), nil, "", "", "cuSPARSE 12.5"},
		{"deterministic", of[float64](1), []op2.Option{op2.WithoutAtomics()}, "", "", "cuSPARSE 12.5, deterministic"},
		{"blocks", of[float64](2), nil, "", "", "generated, work-items for a value: 2, since the device's library does not support blocks of 2 by 2"},
		{"int32", of[int32](1), nil, "", "", "generated, work-items for a value: 2, since the device's library does not support int32"},
		{"refused", of[float64](1), nil, "0", "", "generated, work-items for a value: 2, since OP2_CUSPARSE=0 refuses cuSPARSE"},
		{"missing", of[float64](1), nil, "/nowhere", "", "generated, work-items for a value: 2, since no cuSPARSE that works here"},
		{"broken", of[float64](1), nil, "", "cusparseCreate", "generated, work-items for a value: 2, since no cuSPARSE that works here"},
		{"full", of[float64](1), nil, "", "cusparseSpMV_preprocess", "generated, work-items for a value: 2, since cusparseSpMV_preprocess"},
	} {
		t.Run(test.name, func(t *testing.T) {
			variable := fakeSparse(t)
			if test.variable != "" {
				t.Setenv("OP2_CUSPARSE", test.variable)
			}
			*variable("fake_code") = 2
			copy((*[64]byte)(unsafe.Pointer(variable("fake_failing")))[:], test.failing)
			var log strings.Builder
			rt := open(t, append([]op2.Option{op2.WithLog(&log)}, test.options...)...)
			test.multiply(t, rt)
			if got := strategy(t, rt, "product of line"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if warned := strings.Contains(log.String(), "CUSPARSE_STATUS_ALLOC_FAILED"); warned != (test.failing != "") {
				t.Errorf("the log: %s", log.String())
			}
			products := int64(0)
			if strings.HasPrefix(test.want, "cuSPARSE") {
				products = 2
				if got := *variable("fake_stream"); got != cuda.Stream {
					t.Errorf("the stream is %d", got)
				}
			}
			if got := *variable("fake_products"); got != products {
				t.Errorf("%d products", got)
			}
			if err := rt.Close(); err != nil {
				t.Error(err)
			}
			for _, name := range []string{"fake_handles", "fake_matrices", "fake_vectors"} {
				if n := *variable(name); n != 0 {
					t.Errorf("%s: %d are left", name, n)
				}
			}
		})
	}
}

func of[T number](dim int) func(*testing.T, *op2.Runtime) {
	return func(t *testing.T, rt *op2.Runtime) {
		a, nodes := line[T](t, rt, 100, dim)
		multiplied(t, a, nodes, dim)
	}
}

// A solver takes the same steps with the library as with generated code.
func TestSolveBySparse(t *testing.T) {
	variable := fakeSparse(t)
	var results [][]float64
	var steps []int
	for _, refused := range []bool{false, true} {
		if refused {
			t.Setenv("OP2_CUSPARSE", "0")
		}
		rt := open(t)
		a, nodes := line[float64](t, rt, 60, 1)
		x, b := op2.NewDat[float64](nodes, 1, nil, "x"), op2.NewDat[float64](nodes, 1, nil, "b")
		if err := b.Fill(1); err != nil {
			t.Fatal(err)
		}
		system := solver.New(a, solver.WithRTol(1e-10))
		rt.ResetStats()
		c, err := system.Solve(x, b)
		if err != nil {
			t.Fatal(err)
		}
		if moved := rt.Transfers(); moved.BytesToDevice > int64(60*8+a.Sparsity().Blocks()*8+64+24*c.Iterations) || moved.BytesToHost > int64(64+32*c.Iterations) {
			t.Errorf("%d iterations moved %+v", c.Iterations, moved)
		}
		results, steps = append(results, slices.Clone(optest.Must(x.DataRO()))), append(steps, c.Iterations)
	}
	if *variable("fake_products") < int64(steps[0]) {
		t.Errorf("%d products in %d iterations", *variable("fake_products"), steps[0])
	}
	if steps[0] != steps[1] {
		t.Errorf("%d iterations, and %d without the library", steps[0], steps[1])
	}
	for i, v := range results[0] {
		if math.Abs(v-results[1][i]) > 1e-8 {
			t.Fatalf("x[%d] = %v, and %v without the library", i, v, results[1][i])
		}
	}
}
