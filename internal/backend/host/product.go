package host

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/sparse"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/tune"
)

// product is a prepared product of a matrix with vectors.
type product struct {
	library *library
	rows    sparse.Division
	args    [9]unsafe.Pointer
	shared  *shared   // nil: sequential
	partial []float64 // inner products of the parts
	dot     *float64  // their sum; nil for none
}

func (e *engine) productFlags(family string) []string {
	if e.options.SameBits { // as those that other functions of the library add
		return append(Flags(family), uncontracted)
	}
	return Flags(family)
}

// PrepareProduct prepares the product of a matrix with vectors, on as many threads as loops may
// have.
func (e *engine) PrepareProduct(m backend.Matrix) (backend.Product, error) {
	return e.prepareProduct(m, nil)
}

// PrepareDotProduct prepares a product that also computes an inner product.
func (e *engine) PrepareDotProduct(m backend.Matrix, dot *float64) (backend.Product, error) {
	return e.prepareProduct(m, dot)
}

func (e *engine) prepareProduct(m backend.Matrix, dot *float64) (backend.Product, error) {
	program := host.Product(m.Scalar, m.RowDim, m.ColDim, e.threads > 0, dot != nil)
	for _, threads := range []bool{false, true} {
		form := host.Product(m.Scalar, m.RowDim, m.ColDim, threads, dot != nil)
		if err := e.leave(&compiler{family: jit.GCC, flags: e.own.flags}, form, e.productFlags(jit.GCC), unit.Unit{About: "a product of a sparse matrix and a vector"}); err != nil {
			return nil, err
		}
	}
	library, err := e.code(&e.own, program, e.productFlags(e.own.family))
	if err != nil {
		return nil, err
	}
	p := &product{library: library, dot: dot}
	runs := m.Rows
	if runs == nil {
		runs = sparse.AllRows(len(m.RowPtr) - 1)
	}
	how, parts := "generated", 1
	if e.threads > 0 {
		limits := tune.DefaultMachine().Threads
		shares := sparse.Nonzeros(m.RowPtr, runs) * m.RowDim * m.ColDim / limits.ProductShare
		if most := min(runtime.NumCPU(), shares); most > 1 { // whatever the number of threads
			parts = most * limits.ProductParts
		}
		threads := max(1, min(e.threads, shares, parts))
		if threads > 1 {
			how += fmt.Sprintf(", %d threads", threads)
		}
		p.shared = e.share([]int32{0, int32(parts)}, threads, e.schedule, nil)
		p.args[7] = unsafe.Pointer(&p.shared.job)
	}
	p.rows = sparse.Divide(m.RowPtr, runs, parts)
	p.args[0], p.args[1] = address(p.rows.Ends), unsafe.Pointer(unsafe.SliceData(p.rows.Runs))
	p.args[2], p.args[3], p.args[4] = address(m.RowPtr), address(m.ColIdx), m.Values
	if dot != nil {
		p.partial = make([]float64, parts)
		p.args[8] = unsafe.Pointer(unsafe.SliceData(p.partial))
	}
	m.ReportHow(how)
	return p, nil
}

func (p *product) Ready() error {
	if err := p.library.ready(); err != nil {
		return err
	}
	return p.shared.ready()
}

func (p *product) Run(y, x backend.Vector) error {
	p.args[5], p.args[6] = x.Host, y.Host
	p.shared.run(p.library, unsafe.Pointer(&p.args))
	runtime.KeepAlive(p)
	p.args[5], p.args[6] = nil, nil
	if p.dot != nil {
		*p.dot = 0
		for _, v := range p.partial {
			*p.dot += v
		}
	}
	return nil
}
