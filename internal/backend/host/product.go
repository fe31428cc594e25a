package host

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/tune"
)

// product is a prepared product of a matrix with vectors.
type product struct {
	library *library
	size    [2]int64 // rows of blocks, parts
	args    [7]unsafe.Pointer
	shared  *shared // nil: sequential
}

// PrepareProduct prepares the product of a matrix with vectors, on as many threads as loops may
// have.
func (e *engine) PrepareProduct(m backend.Matrix) (backend.Product, error) {
	program := codegen.Product(m.Scalar, m.RowDim, m.ColDim, e.threads > 0)
	p := &product{library: e.loaded.get(e.builder, program, e.flags)}
	values := len(m.ColIdx) * m.RowDim * m.ColDim
	p.size[0] = int64(len(m.RowPtr) - 1)
	p.args = [7]unsafe.Pointer{unsafe.Pointer(&p.size), address(m.RowPtr), address(m.ColIdx), m.Values}
	how := "generated"
	if e.threads > 0 {
		limits := tune.DefaultMachine().Threads
		threads := max(1, min(e.threads, values/limits.ProductShare))
		parts := int32(1)
		if threads > 1 {
			parts = int32(threads * limits.ProductParts)
		}
		p.size[1] = int64(parts)
		p.shared = e.share([]int32{0, parts}, threads, e.schedule, nil)
		p.args[6] = unsafe.Pointer(&p.shared.job)
		if threads > 1 {
			how += fmt.Sprintf(", %d threads", threads)
		}
	}
	m.ReportHow(how)
	return p, nil
}

func (p *product) Ready() error {
	if err := p.library.ready(); err != nil || p.shared == nil {
		return err
	}
	return p.shared.ready()
}

func (p *product) Run(y, x backend.Vector) error {
	p.args[4], p.args[5] = x.Host, y.Host
	if p.shared != nil {
		p.shared.run(p.library.wrap, unsafe.Pointer(&p.args))
	} else {
		purego.SyscallN(p.library.wrap, uintptr(unsafe.Pointer(&p.args)))
	}
	runtime.KeepAlive(p)
	p.args[4], p.args[5] = nil, nil
	return nil
}
