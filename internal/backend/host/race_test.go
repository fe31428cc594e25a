package host

import (
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

//go:embed testdata/threads.c
var threadsSource string

// number is 1 for true.
var number = map[bool]int{true: 1}

const raceKernel = `package kernels

func k(u *[2][2]float64, table *[4]int32, res *[2][2]float64, sum, most *float64) {
	flux := u[1][0]*u[1][1] - u[0][0]*u[0][1]
	res[0][0] += flux
	res[1][1] -= flux
	FAULTY
	*sum += flux
	*most = max(*most, flux)
}
`

// The generated code of openmp runs under the thread sanitizer without a word, in all
// its forms: packs and elements, both schedules, reductions, faults. That the sanitizer
// would find a race is made sure of with a plan that has one.
func TestThreadSanitizer(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "gcc") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, test := range []struct {
		name   string
		faulty bool
		racy   bool
		codegen.Options
	}{
		{name: "packs", Options: codegen.Options{SIMD: codegen.SIMDOn}},
		{name: "elements", Options: codegen.Options{SIMD: codegen.SIMDOff}},
		{name: "dynamic", Options: codegen.Options{Dynamic: true}},
		{name: "faults", faulty: true},
		{name: "a wrong plan", racy: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := raceProgram(t, test.faulty, test.racy, test.Options)
			dir := t.TempDir()
			source, binary := filepath.Join(dir, "race.c"), filepath.Join(dir, "race")
			if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			flags := slices.Concat(Flags("gcc"), []string{"-O2", "-g", "-fopenmp", "-fsanitize=thread", "-w"})
			if out, err := exec.Command(gcc, slices.Concat(flags, []string{"-c", source, "-o", binary + ".o"})...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			// Linked without libgomp: the functions are in the text.
			if out, err := exec.Command(gcc, "-fsanitize=thread", "-pthread", binary+".o", "-o", binary, "-lm").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			run := exec.Command(binary)
			if setarch, err := exec.LookPath("setarch"); err == nil { // addresses at random may be where the sanitizer wants its own
				run = exec.Command(setarch, "-R", binary)
			}
			out, err := run.CombinedOutput()
			var exit *exec.ExitError
			switch found := strings.Contains(string(out), "data race"); {
			case err != nil && !errors.As(err, &exit), err != nil && !found:
				t.Fatalf("%v\n%s", err, out)
			case found && !test.racy:
				t.Errorf("%s", out)
			case !found && test.racy:
				t.Error("the sanitizer finds no race where there is one")
			}
		})
	}
}

// raceProgram is a loop over the edges of a random mesh, as openmp runs it, and a main
// function that runs it three times on four threads.
func raceProgram(t *testing.T, faulty, racy bool, o codegen.Options) string {
	source := strings.Replace(raceKernel, "FAULTY", "", 1)
	if faulty {
		source = strings.Replace(raceKernel, "FAULTY", "res[0][1] += float64(table[int(u[0][0])])", 1)
	}
	k, err := fromgo.Parse(source).Kernel("k", "k.go", 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyse(k, nil)
	const edges, nodes, arity = 1000, 5000, 2
	dat := func(a loop.Access, data, m, component int) loop.Arg {
		return loop.Arg{Kind: loop.Dat, Access: a, Data: data, Map: m, Component: component, ColMap: loop.Direct}
	}
	global := func(a loop.Access, data int) loop.Arg {
		return loop.Arg{Kind: loop.Global, Access: a, Data: data, Map: loop.Direct, ColMap: loop.Direct}
	}
	l := &loop.Loop{
		Kernel: "k",
		Args: []loop.Arg{dat(loop.Read, 0, 0, loop.All), dat(loop.Read, 1, loop.Direct, 0), dat(loop.Inc, 2, 0, loop.All),
			global(loop.Inc, 3), global(loop.Max, 4)},
		Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 2}, {Kind: loop.Dat, Type: loop.Int32, Dim: 4},
			{Kind: loop.Dat, Type: loop.Float64, Dim: 2}, {Kind: loop.Global, Type: loop.Float64, Dim: 1}, {Kind: loop.Global, Type: loop.Float64, Dim: 1}},
		Maps: []loop.Map{{Arity: arity}},
	}
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]int32, edges*arity)
	for i := range values {
		values[i] = int32(r.IntN(nodes))
	}
	in := &plan.Input{
		Last: edges, BlockSize: 20, Maps: []plan.Map{{ID: 0, Arity: arity, Targets: nodes, Values: values}},
		Data: []plan.Data{{Collides: true, Refs: []plan.Ref{{Map: 0, Component: plan.All}}}},
	}
	if racy {
		in.Data = nil
	}
	p, err := plan.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	runs, blocks := (&backend.Memory{Last: edges, Plan: p}).Runs()
	var elements []int32
	for _, run := range runs {
		elements = append(elements, run[0], run[1])
	}
	program := codegen.OpenMP(codegen.Input{Loop: l, Kernel: k, Options: o})

	var b strings.Builder
	b.WriteString(program.Text)
	b.WriteString(threadsSource)
	ints := func(name string, values []int32) string {
		fmt.Fprintf(&b, "static int32_t %s[] = {%s};\n", name, strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ", "), "[]"))
		return name
	}
	memory := func(name, typ string, n int) string {
		fmt.Fprintf(&b, "static %s %s[%d];\n", typ, name, n)
		return name
	}
	data := []string{memory("u_", "double", 2*nodes), memory("table_", "int32_t", 4*edges), memory("res_", "double", 2*nodes),
		memory("sum_", "double", 1), memory("most_", "double", 1)}
	fmt.Fprintf(&b, "static int64_t team_[] = {4, %d, %d}, fault_[5];\n", p.Colors, p.Blocks())
	var args []string
	for _, slot := range program.Slots {
		switch slot.What {
		case codegen.SlotRuns:
			args = append(args, ints("runs_", elements))
		case codegen.SlotData:
			args = append(args, data[slot.N])
		case codegen.SlotMap:
			args = append(args, ints("map_", values))
		case codegen.SlotFault:
			args = append(args, "fault_")
		case codegen.SlotTeam:
			args = append(args, "team_")
		case codegen.SlotBlocks:
			args = append(args, ints("blocks_", blocks))
		case codegen.SlotOrder:
			args = append(args, ints("order_", p.BlocksByColor))
		case codegen.SlotColors:
			args = append(args, ints("colors_", p.ColorOffsets))
		case codegen.SlotPartial:
			args = append(args, memory(fmt.Sprintf("partial%d_", slot.N), "double", p.Blocks()*codegen.PartialStride(l, l.Args[slot.N])/8))
		default:
			t.Fatalf("the test does not know slot %v", slot)
		}
	}
	fmt.Fprintf(&b, `int main(void)
{
	void *args[] = {%s};
	for (int i = 0; i < %d; i++)
		u_[i] = i %% 4 + %d * (i %% 100 == 50);
	for (int round = 0; round < 3; round++)
		%s(args);
	return !!fault_[0] != %d;
}
`, strings.Join(args, ", "), 2*nodes, 5*number[faulty], program.Symbol, number[faulty])
	return b.String()
}
