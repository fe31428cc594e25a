package fallback_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/fallback"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tiling"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/translated"
)

const elements = 100

// The data of the loops, and the blocks that ran. Code that was registered once stays.
var (
	x, y   = make([]float64, elements), make([]float64, elements)
	blocks = make(chan int32, elements)
)

// spec is a loop that adds x to y, or twice x.
func spec(t *testing.T, name, times string, add func(x, y *float64)) backend.Spec {
	k := codegentest.FromGo(t, "func k(x, y *float64) { *y += "+times+" * *x }")
	k.Name = name
	return backend.Spec{
		Loop: &loop.Loop{
			Kernel: name,
			Args:   []loop.Arg{codegentest.Dat(loop.Read, 0, loop.Direct, 0), codegentest.Dat(loop.RW, 1, loop.Direct, 0)},
			Data:   []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
		},
		Kernel: k, Func: *(*unsafe.Pointer)(unsafe.Pointer(&add)),
	}
}

func memory(x, y []float64) backend.Memory {
	return backend.Memory{
		Last: elements, SetSize: elements, Elements: []int{elements, elements},
		Data:      []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])},
		ReportHow: func(how, code string) {},
		NewPlan: func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			in := &plan.Input{Last: elements, BlockSize: 8, Boundaries: r.Boundaries}
			p, err := plan.Build(in)
			return p, in, err
		},
	}
}

// Where there is no compiler, loops whose code the program contains run it, on goroutines, and the others run as Go
// functions, also in place of tiles. That is said in the end, or is an error on request.
func TestWithoutCompiler(t *testing.T) {
	once := spec(t, "once", "1", func(x, y *float64) { *y += *x })
	twice := spec(t, "twice", "2", func(x, y *float64) { *y += 2 * *x })
	clear(y)
	for i := range x {
		x[i] = float64(i)
	}

	static, err := host.Translated.Open(backend.Config{Static: true, Threads: 3})
	if err != nil {
		t.Fatal(err)
	}
	text, err := static.Generate(once)
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"x86-64-v2", "armv8-a"} {
		translated.Register("test/op2gen", translated.Code{
			Name: "once", Key: unit.Key(text, false, nil), Level: level,
			Call: func(unsafe.Pointer) {},
			Blocks: func(_ unsafe.Pointer, first, last int32) { // what the code of the loop would do, in blocks of 8
				for b := first; b < last; b++ {
					for i := 8 * int(b); i < min(elements, 8*int(b)+8); i++ {
						y[i] += x[i]
					}
					blocks <- b
				}
			},
		})
	}
	if len(translated.Packages()) == 0 {
		t.Skip("no code is for this processor")
	}

	t.Setenv("PATH", "")
	var warnings []string
	c := backend.Config{Threads: 3, CacheDir: t.TempDir(), Warn: func(w string) { warnings = append(warnings, w) }}
	b, err := fallback.Of(host.Translated).Open(c)
	if err != nil {
		t.Fatal(err)
	}
	var runners []backend.Runner
	for i, s := range []backend.Spec{once, twice} {
		if has := b.(backend.Translated).HasCode(s); has != (i == 0) {
			t.Errorf("the code of %s is there: %t", s.Kernel.Name, has)
		}
		r, err := b.Prepare(s, memory(x, y))
		if err == nil {
			err = r.Ready()
		}
		if err == nil {
			err = r.Run()
		}
		if err != nil {
			t.Fatal(err)
		}
		runners = append(runners, r)
	}
	check := func(what string, times float64) {
		t.Helper()
		for i := range y {
			if y[i] != times*x[i] {
				t.Fatalf("%s: y[%d] is %g, want %g", what, i, y[i], times*x[i])
			}
		}
	}
	check("both loops", 3)
	if n := len(blocks); n != (elements+7)/8 {
		t.Errorf("%d blocks ran", n)
	}
	for len(blocks) > 0 {
		<-blocks
	}

	schedule := &tiling.Schedule{Runs: [][]tiling.Run{{{8, 96}, {0, 8}, {96, elements}}}}
	tiles, err := b.(backend.Tiler).PrepareTiles([]backend.TileLoop{{Runner: runners[1], Reduce: true}}, schedule)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tiles.Ready(), runners[1].Begin(nil), tiles.RunTiles(), runners[1].Finish()); err != nil {
		t.Fatal(err)
	}
	check("in place of tiles", 5)

	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if want := "1 of 2 loops are not translated as they are now, and were run as Go functions, which takes several times as long: twice; run go generate"; !slices.Equal(warnings, []string{want}) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}

	c.OnlyTranslated = true
	if b, err = fallback.Of(host.Translated).Open(c); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.Prepare(twice, memory(x, y)); !strings.HasPrefix(fmt.Sprint(err), "twice is not translated as it is now, in test/op2gen\n") {
		t.Errorf("with OP2_REQUIRE=translated: %v", err)
	}
	if _, err := b.Prepare(once, memory(x, y)); err != nil {
		t.Error(err)
	}
}
