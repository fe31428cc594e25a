package bind

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/userkernel"
)

// doubt warns, once per kernel, about what cannot be checked in advance in a C kernel.
func (e *Env) doubt(c Call, ir *kernel.Kernel, accesses []loop.Access) {
	if doubts := kernel.Doubts(ir, accesses); doubts != "" && !e.warned[ir.Source] {
		e.warned[ir.Source] = true
		c.Runtime.Config().Backend.Warn(fmt.Sprintf("%s: kernel %s: this cannot be checked beforehand\n  %s\n  hint: run it once with OP2_DIAGS=on, which checks subscripts while it runs", c.What, ir.Name, doubts))
	}
}

// uncompared warns under diagnostics, once per kernel, about what has not been compared.
func (e *Env) uncompared(c Call, k *userkernel.Kernel) {
	gap, place := k.Gap(), k.Place()
	if gap == "" || !c.Runtime.Config().Backend.Poison || e.warned[place] {
		return
	}
	e.warned[place] = true
	c.Runtime.Config().Backend.Warn(fmt.Sprintf("%s: kernel %s: the compiled function was not compared with all of its source: %s\n"+
		"  hint: after an edit of the embedded file, rebuild", c.What, k.Name(), gap))
}

// noExtremes warns under diagnostics, once per kernel, about what is passed with Min or Max and left as something else.
func (e *Env) noExtremes(f fitted) {
	if !f.Runtime.Config().Backend.Poison || e.warned[f.Kernel.Source] {
		return
	}
	var consts [][]uint64
	for _, c := range f.consts {
		consts = append(consts, c.Layout.Leaves().Load(c.Ptr))
	}
	for _, p := range userkernel.NoExtremes(f.Kernel, consts, f.accesses()) {
		e.warned[f.Kernel.Source] = true
		f.Runtime.Config().Backend.Warn(fmt.Sprintf("%s: kernel %s: %s: %s\n  hint: %s", f.What, f.Kernel.Name, p.Pos, p.Msg, p.Hint))
	}
}
