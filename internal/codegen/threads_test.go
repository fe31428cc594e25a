package codegen_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
)

// What a loop on threads has in addition to one on one core: reductions of a block, faults, consts,
// and the team.
func TestThreads(t *testing.T) {
	k := codegentest.FromGo(t, `
var scale = 2.0
func k(i *int, v *[4]float64, sum *float64, most *[2]float32) {
	*sum += scale * v[*i]
	most[0] = max(most[0], float32(*sum))
}`)
	l := &loop.Loop{
		Kernel: "k",
		Args: []loop.Arg{{Kind: loop.Index, Data: -1, Map: loop.Direct, ColMap: loop.Direct}, codegentest.Dat(loop.Read, 0, loop.Direct, 0),
			codegentest.Global(loop.Inc, 1), codegentest.Global(loop.Max, 2)},
		Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 4}, {Kind: loop.Global, Type: loop.Float64, Dim: 1},
			{Kind: loop.Global, Type: loop.Float32, Dim: 2}},
	}
	text := host.Threads(codegen.Input{Loop: l, Kernel: k}).Text
	_, got, _ := strings.Cut(text, "void op2_block_k")
	codegentest.Expect(t, got, `(void *op2_shared, int32_t op2_i)
{
	void **args = op2_shared;
	const int32_t (*op2_run)[2] = args[5], *op2_first_run = args[6], op2_b = ((const int32_t *)args[7])[op2_i];
	double *sum_block = (void *)((char *)args[3] + (int64_t)op2_b * 64);
	sum_block[0] = 0;
	float *most_block = (void *)((char *)args[4] + (int64_t)op2_b * 64);
	for (int d = 0; d < 2; d++) most_block[d] = ((const float *)args[2])[d];
	struct op2_consts consts;
	consts.scale = *(const double *)args[9];
	struct op2_exit exit = {.record = args[10], .block = op2_i};
	if (INT32_MAX - __atomic_load_n(&exit.record[6], __ATOMIC_RELAXED) < op2_i || op2_mark(exit.place))
		return;
	op2_loop_k(
		op2_run + op2_first_run[op2_b], op2_run + op2_first_run[op2_b + 1],
		args[0], sum_block, most_block, &consts, &exit);
}

__attribute__((visibility("default")))
void op2_wrap_k(void **args)
{
	struct op2_job *op2_job = args[8];
	if (op2_job->op2_run) // otherwise the caller has run all blocks
		op2_job->op2_run(op2_job, op2_block_k, args);
	if (*(const int64_t *)args[10])
		return;
	const int32_t op2_blocks = *(const int32_t *)args[11]; // whose partial results are combined now
	if (op2_blocks == 0)
		return;
	double sum_total = 0;
	float most_total[2];
	for (int d = 0; d < 2; d++) most_total[d] = ((const float *)args[2])[d];
	for (int32_t op2_b = 0; op2_b < op2_blocks; op2_b++) {
		const double *sum_block = (void *)((char *)args[3] + (int64_t)op2_b * 64);
		sum_total += sum_block[0];
		const float *most_block = (void *)((char *)args[4] + (int64_t)op2_b * 64);
		for (int d = 0; d < 2; d++) most_total[d] = op2_max_float(most_total[d], most_block[d]);
	}
	((double *)args[1])[0] += sum_total;
	for (int d = 0; d < 2; d++) ((float *)args[2])[d] = most_total[d];
}
`)
}

// Arrays of more than a cache line are read where they are.
func TestLargeConsts(t *testing.T) {
	for name, source := range map[string]string{"small": "[8]float64", "large": "[9]float64"} {
		k := codegentest.FromGo(t, "var table "+source+"\nfunc k(v *float64) { *v = table[3] }")
		l := &loop.Loop{Kernel: "k", Args: []loop.Arg{codegentest.Dat(loop.Write, 0, loop.Direct, 0)}, Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 1}}}
		for form, text := range map[string]string{"one core": host.Sequential(codegen.Input{Loop: l, Kernel: k}).Text, "threads": host.Threads(codegen.Input{Loop: l, Kernel: k}).Text} {
			want := []string{"\tdouble table[8];\n", "op2.consts->table[3]", "__builtin_memcpy(consts.table, args["}
			if name == "large" {
				want = []string{"\tdouble (*restrict table)[9];\n", "(*op2.consts->table)[3]", "\tconsts.table = args["}
			}
			for _, part := range want {
				if !strings.Contains(text, part) {
					t.Errorf("%s const, %s: there is no %q in\n%s", name, form, part, text)
				}
			}
		}
	}
}
