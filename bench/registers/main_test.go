package main

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/cuda/offline"
)

func TestTable(t *testing.T) {
	table := table{compiler: &nvrtc.Compiler{Major: 12, Minor: 9}}
	var byArch []offline.Result
	for i := range offline.Archs {
		byArch = append(byArch, offline.Result{Usages: map[string]nvrtc.Usage{
			"op2_loop_flux": {Registers: 40 + i, Stack: 16, Spilled: 8 * i, Shared: 2048, Const: 400},
		}})
	}
	table.line("airfoil", "flux (list)", "staged", "op2_loop_flux", byArch)
	got := table.String()
	const want = `
                                            sm_70               sm_80               sm_90  
loop             strategy        regs stack spill    regs stack spill    regs stack spill  shared const
flux (list)      staged            40    16     0      41    16     8      42    16    16    2048   400

registers are spilled by:
flux (list) of airfoil, staged
`
	if !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
}
