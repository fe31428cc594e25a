package host

import (
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
	"github.com/go-op2/op2/internal/backend/host/team"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

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

// The thread sanitizer finds nothing in the generated code of openmp and its team of threads, in
// all forms: packs and elements, both schedules, reductions, faults, with the system's way to sleep
// and the portable one, with fewer threads than requested. A plan with a race makes sure that the
// sanitizer would find one.
func TestThreadSanitizer(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "gcc") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, test := range []struct {
		raceCase
		flags []string
	}{
		{raceCase: raceCase{name: "packs", simd: tune.SIMDOn}},
		{raceCase: raceCase{name: "elements", simd: tune.SIMDOff}},
		{raceCase: raceCase{name: "dynamic", dynamic: true}},
		{raceCase: raceCase{name: "faults", faulty: true}},
		{raceCase: raceCase{name: "portable"}, flags: []string{"-U__linux__"}},
		{raceCase: raceCase{name: "two threads and no more"}, flags: []string{"-DFEW_THREADS"}},
		{raceCase: raceCase{name: "a wrong plan", racy: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := raceProgram(t, test.raceCase)
			dir := t.TempDir()
			source, binary := filepath.Join(dir, "race.c"), filepath.Join(dir, "race")
			if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			flags := slices.Concat(Flags("gcc"), []string{"-O2", "-g", "-pthread", "-fsanitize=thread", "-w"}, test.flags)
			if out, err := exec.Command(gcc, slices.Concat(flags, []string{"-c", source, "-o", binary + ".o"})...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if out, err := exec.Command(gcc, "-fsanitize=thread", "-pthread", binary+".o", "-o", binary, "-lm").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			run := exec.Command(binary)
			if setarch, err := exec.LookPath("setarch"); err == nil { // randomized addresses may conflict with the sanitizer's
				run = exec.Command(setarch, "-R", binary)
			}
			run.Env = append(os.Environ(), "TSAN_OPTIONS=halt_on_error=1")
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

// fewThreads makes the system allow only one thread for each team, if requested.
const fewThreads = `#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
#ifdef FEW_THREADS
static int create(pthread_t *thread, const pthread_attr_t *a, void *(*f)(void *), void *p)
{
	static int asked;
	return asked++ % 2 ? 11 : pthread_create(thread, a, f, p);
}
#define pthread_create create
#endif
#undef _GNU_SOURCE
`

// raceCase is one way to run the loop.
type raceCase struct {
	name                  string
	faulty, racy, dynamic bool
	simd                  tune.SIMD
}

// raceProgram returns a loop over the edges of a random mesh, as openmp runs it, and a main
// function that runs it on four threads, many times in a row and with pauses in which they fall
// asleep. With a race it runs until the sanitizer stops it: where another process has a core, one
// thread may claim all the blocks of many calls in a row.
func raceProgram(t *testing.T, c raceCase) string {
	source := strings.Replace(raceKernel, "FAULTY", "", 1)
	if c.faulty {
		source = strings.Replace(raceKernel, "FAULTY", "res[0][1] += float64(table[int(u[0][0])])", 1)
	}
	k, err := fromgo.Parse(source).Kernel("k", "k.go", 0)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Analyze(k, nil)
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
	if c.racy {
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
	program := host.Threads(codegen.Input{Loop: l, Kernel: k, Options: codegen.Options{SIMD: c.simd}})

	var b strings.Builder
	b.WriteString(fewThreads + team.Source)
	b.WriteString(program.Text)
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
	fmt.Fprintf(&b, "static int64_t fault_[8];\nstatic struct job job_ = {.color = %s, .colors = %d, .threads = 4, .dynamic = %d};\n",
		ints("colors_", p.ColorOffsets), p.Colors, number[c.dynamic])
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
		case codegen.SlotJob:
			args = append(args, "&job_")
		case codegen.SlotBlocks:
			args = append(args, ints("blocks_", blocks))
		case codegen.SlotOrder:
			args = append(args, ints("order_", p.BlocksByColor))
		case codegen.SlotCombined:
			args = append(args, ints("combined_", []int32{int32(p.Blocks())}))
		case codegen.SlotPartial:
			args = append(args, memory(fmt.Sprintf("partial%d_", len(args)), "double", p.Blocks()*slot.N/8))
		default:
			t.Fatalf("the test does not know slot %v", slot)
		}
	}
	fmt.Fprintf(&b, `int main(void)
{
	void *args[] = {%s};
	for (int i = 0; i < %d; i++)
		u_[i] = i %% 4 + %d * (i %% 100 == 50);
	for (int again = 0; again < 2; again++) {
		op2_team_open(4, 2000, 50000, &job_);
		for (int round = 0; round < %d; round++) {
			job_.threads = 1 + (round + 3) %% 4;
			%s(args);
			if (round %% 10 == 9)
				usleep(1000);
		}
		op2_team_close(job_.team);
	}
	return !!fault_[0] != %d;
}
`, strings.Join(args, ", "), 2*nodes, 5*number[c.faulty], 30+100_000*number[c.racy], program.Symbol, number[c.faulty])
	return b.String()
}
