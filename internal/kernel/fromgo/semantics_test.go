package fromgo

import (
	_ "embed"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/interp"
)

//go:embed semantics_kernels_test.go
var semanticsSource string

// TestSemantics compares compiled functions with the lowered ones, bit by bit.
func TestSemantics(t *testing.T) {
	p := Parse(semanticsSource)
	for _, f := range []any{semOrder, semConditions, semLoops, semRange, semAssign, semStructs, semCompare, semNumbers, semComplex, semQuotients} {
		pc := reflect.ValueOf(f).Pointer()
		at := runtime.FuncForPC(pc)
		file, line := at.FileLine(at.Entry())
		name := at.Name()[len("github.com/go-op2/op2/internal/kernel/fromgo."):]
		k, err := p.Kernel(name, file, line)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 50 {
			compareRuns(t, k, reflect.ValueOf(f), random)
		}
	}
}

func compareRuns(t *testing.T, k *kernel.Kernel, f reflect.Value, random *rand.Rand) {
	t.Helper()
	var args []reflect.Value
	var cells [][]uint64
	for i := range f.Type().NumIn() {
		v := reflect.New(f.Type().In(i).Elem())
		randomize(v.Elem(), random)
		args = append(args, v)
		cells = append(cells, interp.Bits(v))
	}
	values := map[string]any{"semScale": semScale, "semTable": semTable}
	var consts [][]uint64
	for _, c := range k.Consts {
		consts = append(consts, interp.Bits(reflect.ValueOf(values[c.Name])))
	}
	if err := interp.Run(k, cells, consts, 1e6); err != nil {
		t.Fatal(err)
	}
	f.Call(args)
	for i, a := range args {
		if want := interp.Bits(a); !reflect.DeepEqual(cells[i], want) {
			t.Fatalf("%s: parameter %s is %v, want %v\n%s", k.Name, k.Entry().Params[i].Name, cells[i], want, dump(k))
		}
	}
}

func randomize(v reflect.Value, random *rand.Rand) {
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			randomize(v.Index(i), random)
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Round(random.NormFloat64()*1e4)/64 + 0.5)
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(math.Round(random.NormFloat64()*1e4)/64+0.5, math.Round(random.NormFloat64()*10)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(random.Uint64N(40))
	default:
		v.SetInt(random.Int64N(40) + 1)
	}
}
