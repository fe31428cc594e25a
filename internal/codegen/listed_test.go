package codegen_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// Elements of a list are looked up, one by one and for each lane of a pack, also where they lead to others; runs count
// their places.
func TestListed(t *testing.T) {
	p := host.Sequential(codegen.Input{
		Options: codegen.Options{SIMD: tune.SIMDOn, Listed: true},
		Kernel:  codegentest.FromGo(t, "func k(x *[2]float64, y *float64, n *int) { *y = x[0] * x[1] * float64(*n) }"),
		Loop: &loop.Loop{
			Args: []loop.Arg{codegentest.Dat(loop.Read, 0, 0, 1), codegentest.Dat(loop.Write, 1, loop.Direct, 0), {Kind: loop.Index, Access: loop.Read, Data: -1, Map: loop.Direct}},
			Data: []loop.Data{{Kind: loop.Dat, Type: loop.Float64, Dim: 2}, {Kind: loop.Dat, Type: loop.Float64, Dim: 1}},
			Maps: []loop.Map{{Arity: 3}},
		},
	})
	_, run, _ := strings.Cut(p.Text, "\tfor (; run < end; run++) {\n")
	run, _, _ = strings.Cut(run, "\n}\n")
	codegentest.Expect(t, run, `		const int64_t last = (*run)[1];
		int64_t i = (*run)[0];
#ifdef OP2_LANES
		for (; i + OP2_LANES <= last; i += OP2_LANES) {
			int64_t at0[OP2_LANES];
			for (int l = 0; l < OP2_LANES; l++) at0[l] = elements[i + l];
			int64_t at1[OP2_LANES];
			for (int l = 0; l < OP2_LANES; l++) at1[l] = map0[3 * at0[l] + 1];
			op2_vec x_pack[2];
			op2_vec_load(x_pack, x, at1, 2);
			op2_vec y_pack[1];
			op2_vec_int64 n_pack[1];
			for (int l = 0; l < OP2_LANES; l++) n_pack[0][l] = elements[i + l];
			op2_k_lanes(x_pack, y_pack, n_pack);
			op2_vec_store(y, at0, y_pack, 1);
		}
#endif
		for (; i < last; i++) {
			const int64_t n = elements[i];
			const int32_t *row0 = map0 + 3 * n;
			int64_t n_number = n;
			k_(x + 2 * (int64_t)row0[1], y + n, &n_number);
		}
	}`)
	if last := p.Slots[len(p.Slots)-1]; last.What != codegen.SlotElements {
		t.Errorf("the last of the slots %v is not the list's", p.Slots)
	}
}
