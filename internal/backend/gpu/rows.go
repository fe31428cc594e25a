package gpu

import (
	"math/bits"

	"github.com/go-op2/op2/internal/backend"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/device"
)

// rowKernelsFor returns the kernels for values of a size, which are compiled when they are first needed.
func (e *engine) rowKernelsFor(size int) (*rowKernels, error) {
	at := &e.rows[bits.Len(uint(size))-1]
	if *at != nil {
		return *at, nil
	}
	build := e.compile(e.rowSource(size))
	k := &rowKernels{}
	var err error
	if k.gather, err = build.Kernel("gather"); err != nil {
		return nil, err
	}
	if k.scatter, err = build.Kernel("scatter"); err != nil {
		return nil, err
	}
	k.args = []device.Arg{device.ArgOf(&k.count), device.ArgOf(&k.dim), device.ArgOf(&k.along), device.ArgOf(&k.apart),
		device.ArgOf(&k.element), device.ArgOf(&k.place), device.ArgOf(&k.values), device.ArgOf(&k.buffer)}
	*at = k
	return k, nil
}

// rowSource returns the source of the kernels for values of a size.
func (e *engine) rowSource(size int) device.Source {
	p := devicecode.Rows(size, e.kind.Dialect, e.info.MaxGroup)
	return device.Source{Name: p.Name, Text: p.Text}
}

// rowCopies copies rows of a mirror.
type rowCopies struct {
	engine         *engine
	rows           backend.Rows
	kernels        *rowKernels
	element, place *array
}

// PrepareRows copies the lists of elements and places to the device.
func (e *engine) PrepareRows(r backend.Rows) (backend.RowCopies, error) {
	c := &rowCopies{engine: e, rows: r}
	var err error
	if c.kernels, err = e.rowKernelsFor(r.Mirror.Shape().Size); err != nil {
		return nil, err
	}
	if c.element, err = e.ints(r.Elements); err != nil {
		return nil, err
	}
	c.place, err = e.ints(r.Places)
	return c, err
}

// Gather queues the kernel that gathers.
func (c *rowCopies) Gather(to device.Buffer) error { return c.launch(c.kernels.gather, to) }

// Scatter queues the kernel that scatters.
func (c *rowCopies) Scatter(from device.Buffer) error { return c.launch(c.kernels.scatter, from) }

func (c *rowCopies) launch(kernel device.Kernel, buffer device.Buffer) error {
	k, dim := c.kernels, c.rows.Mirror.Shape().Dim
	values, along, apart := c.rows.Mirror.Values()
	k.count, k.dim, k.along, k.apart = int64(len(c.rows.Elements))*int64(dim), int32(dim), int64(along), int64(apart)
	k.element, k.place, k.values, k.buffer = c.element.buffer, c.place.buffer, values, buffer
	if k.count == 0 {
		return nil
	}
	size := c.engine.info.MaxGroup
	return kernel.Launch(int((k.count+int64(size)-1)/int64(size)), size, 0, k.args)
}
