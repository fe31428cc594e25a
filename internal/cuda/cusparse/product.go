package cusparse

import (
	"runtime"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

// The values of the library's enumerations that are used.
const (
	nonTranspose = 0 // CUSPARSE_OPERATION_NON_TRANSPOSE
	index32      = 2 // CUSPARSE_INDEX_32I
	baseZero     = 0 // CUSPARSE_INDEX_BASE_ZERO
	single       = 0 // CUDA_R_32F
	double       = 1 // CUDA_R_64F
	fastest      = 2 // CUSPARSE_SPMV_CSR_ALG1
	reproducible = 3 // CUSPARSE_SPMV_CSR_ALG2
)

// product is a prepared product of a matrix with vectors.
type product struct {
	handle    *Handle
	matrix    device.SparseMatrix
	x, y      device.Buffer
	own       *descriptors
	workspace device.Buffer
	factors   struct { // of the product, and of the previous value of y
		single [2]float32
		double [2]float64
	}
}

// descriptors are the library's descriptors of a product.
type descriptors struct{ matrix, x, y uintptr }

// Prepare prepares products.
func (h *Handle) Prepare(m device.SparseMatrix, y, x device.Buffer, workspace func(bytes int) (device.Buffer, error)) (p device.SparseProduct, err error) {
	err = h.context.Within(func(uintptr, int) error {
		p, err = h.prepare(m, y, x, workspace)
		return err
	})
	return p, err
}

func (h *Handle) prepare(m device.SparseMatrix, y, x device.Buffer, workspace func(bytes int) (device.Buffer, error)) (*product, error) {
	h.sweep()
	p := &product{handle: h, matrix: m, x: x, y: y, own: &descriptors{}}
	p.factors.single[0], p.factors.double[0] = 1, 1
	h.alive[p.own] = true
	if err := p.describe(); err != nil {
		h.destroy(p.own)
		return nil, err
	}
	if err := p.plan(workspace); err != nil {
		h.destroy(p.own)
		return nil, err
	}
	runtime.AddCleanup(p, h.discard, p.own)
	return p, nil
}

// kind returns the type of the values.
func (p *product) kind() uintptr {
	if p.matrix.Double {
		return double
	}
	return single
}

// describe creates the descriptors.
func (p *product) describe() error {
	m := &p.matrix
	err := p.handle.call(p.handle.cusparseCreateCsr, uintptr(unsafe.Pointer(&p.own.matrix)), uintptr(m.Rows), uintptr(m.Cols), uintptr(m.Nonzeros),
		uintptr(m.First), uintptr(m.Column), uintptr(m.Values), index32, index32, baseZero, p.kind())
	if err == nil {
		err = p.handle.call(p.handle.cusparseCreateDnVec, uintptr(unsafe.Pointer(&p.own.x)), uintptr(m.Cols), uintptr(p.x), p.kind())
	}
	if err == nil {
		err = p.handle.call(p.handle.cusparseCreateDnVec, uintptr(unsafe.Pointer(&p.own.y)), uintptr(m.Rows), uintptr(p.y), p.kind())
	}
	return err
}

// plan allocates the workspace, and has the library preprocess the pattern, if it can.
func (p *product) plan(workspace func(bytes int) (device.Buffer, error)) error {
	size := new(uintptr)
	if err := p.call(p.handle.cusparseSpMV_bufferSize, uintptr(unsafe.Pointer(size))); err != nil {
		return err
	}
	if *size > 0 {
		var err error
		if p.workspace, err = workspace(int(*size)); err != nil {
			return err
		}
	}
	if !p.handle.cusparseSpMV_preprocess.Exists() {
		return nil
	}
	return p.call(p.handle.cusparseSpMV_preprocess, uintptr(p.workspace))
}

// call calls one of the functions that take the arguments of a product.
//
//go:uintptrescapes
func (p *product) call(f native.Function, last uintptr) error {
	one, zero := unsafe.Pointer(&p.factors.single[0]), unsafe.Pointer(&p.factors.single[1])
	if p.matrix.Double {
		one, zero = unsafe.Pointer(&p.factors.double[0]), unsafe.Pointer(&p.factors.double[1])
	}
	algorithm := uintptr(fastest)
	if p.matrix.Deterministic {
		algorithm = reproducible
	}
	return p.handle.call(f, p.handle.handle, nonTranspose, uintptr(one), p.own.matrix, p.own.x, uintptr(zero), p.own.y, p.kind(), algorithm, last)
}

// Run queues y = A x, where A has the given values.
func (p *product) Run(y, x, values device.Buffer) error {
	return p.handle.context.Within(func(uintptr, int) error { return p.multiply(y, x, values) })
}

func (p *product) multiply(y, x, values device.Buffer) error {
	m := &p.matrix
	if values != m.Values {
		if err := p.handle.call(p.handle.cusparseCsrSetPointers, p.own.matrix, uintptr(m.First), uintptr(m.Column), uintptr(values)); err != nil {
			return err
		}
		m.Values = values
	}
	if x != p.x {
		if err := p.handle.call(p.handle.cusparseDnVecSetValues, p.own.x, uintptr(x)); err != nil {
			return err
		}
		p.x = x
	}
	if y != p.y {
		if err := p.handle.call(p.handle.cusparseDnVecSetValues, p.own.y, uintptr(y)); err != nil {
			return err
		}
		p.y = y
	}
	err := p.call(p.handle.cusparseSpMV, uintptr(p.workspace))
	runtime.KeepAlive(p)
	return err
}

// discard records that a product has become unreachable; it runs on the goroutine of Go's
// collector.
func (h *Handle) discard(d *descriptors) {
	h.gone.Lock()
	defer h.gone.Unlock()
	h.gone.descriptors = append(h.gone.descriptors, d)
}

// sweep destroys the descriptors of unreachable products.
func (h *Handle) sweep() {
	h.gone.Lock()
	all := h.gone.descriptors
	h.gone.descriptors = nil
	h.gone.Unlock()
	for _, d := range all {
		h.destroy(d)
	}
}

// destroy destroys descriptors. Errors of the library are of no use here.
func (h *Handle) destroy(d *descriptors) {
	if !h.alive[d] {
		return
	}
	delete(h.alive, d)
	for _, v := range []uintptr{d.x, d.y} {
		if v != 0 {
			_ = h.call(h.cusparseDestroyDnVec, v)
		}
	}
	if d.matrix != 0 {
		_ = h.call(h.cusparseDestroySpMat, d.matrix)
	}
}
