package host

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
)

// product is a prepared product of a matrix with vectors.
type product struct {
	library *library
	size    [2]int64 // rows of blocks, threads
	args    [6]unsafe.Pointer
}

// productShare is the number of values of a matrix that are worth a thread.
const productShare = 8192

// PrepareProduct prepares the product of a matrix with vectors, on as many threads as
// loops have at most.
func (e *engine) PrepareProduct(m backend.Matrix) (backend.Product, error) {
	program := codegen.Product(m.Scalar, m.RowDim, m.ColDim, e.threads > 0)
	p := &product{library: e.library(program, e.flags)}
	values := len(m.ColIdx) * m.RowDim * m.ColDim
	p.size = [2]int64{int64(len(m.RowPtr) - 1), int64(max(1, min(e.threads, values/productShare)))}
	p.args = [6]unsafe.Pointer{unsafe.Pointer(&p.size), address(m.RowPtr), address(m.ColIdx), m.Values}
	return p, nil
}

func (p *product) Ready() error { return p.library.ready() }

func (p *product) Run(y, x backend.Vector) error {
	p.args[4], p.args[5] = x.Host, y.Host
	purego.SyscallN(p.library.wrap, uintptr(unsafe.Pointer(&p.args)))
	runtime.KeepAlive(p)
	p.args[4], p.args[5] = nil, nil
	return nil
}
