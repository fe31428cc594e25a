package gpu

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/backend"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// product is a prepared product of a matrix with vectors. Once the pattern is on the device, it
// transfers nothing.
type product struct {
	engine  *engine
	matrix  backend.Matrix
	options devicecode.ProductOptions
	rows    int32 // of blocks
	kernels map[layouts]*multiplication
	groups  int

	// Whether the device's own library multiplies.
	byLibrary bool
	library   device.SparseProduct

	pattern struct{ first, column, share *array }

	// The values of arguments.
	values, x, y   device.Buffer
	columns, apart int64 // elements of the vector and of the result, between two components of one: with those of a halo
}

// layouts records which of the vectors are stored component by component on the device.
type layouts struct{ x, y bool }

// multiplication is the compiled product for vectors in certain layouts.
type multiplication struct {
	build  device.Program
	kernel device.Kernel
	args   []device.Arg
	groups int
	size   int // work-items in a group
}

func (m *multiplication) run() error { return m.kernel.Launch(m.groups, m.size, 0, m.args) }

// PrepareProduct copies the pattern to the device, unless loops that assemble the matrix have done
// so already.
func (e *engine) PrepareProduct(m backend.Matrix) (backend.Product, error) {
	if m.Scalar == loop.Float64 && !e.info.Float64 {
		return nil, fmt.Errorf("%s has no double precision, in which the matrix is\n  hint: use float32, or another device", e.info.Name)
	}
	p := &product{engine: e, matrix: m, kernels: map[layouts]*multiplication{}}
	rows := len(m.RowPtr) - 1
	p.rows = int32(rows)
	if int64(rows)*int64(m.RowDim) > math.MaxInt32 {
		return nil, fmt.Errorf("%d rows of values are more than can be numbered", int64(rows)*int64(m.RowDim))
	}
	var err error
	if p.pattern.first, err = e.ints(m.RowPtr); err != nil {
		return nil, err
	}
	if p.pattern.column, err = e.ints(m.ColIdx); err != nil {
		return nil, err
	}
	if _, ok := e.device.(device.Multiplier); !ok {
		return p, p.generate("")
	}
	if why := e.sparse.openLibrary(e, &p.matrix); why != "" {
		return p, p.generate(why)
	}
	p.byLibrary = true
	return p, nil
}

// generate selects the generated product; why may say why the library is not used.
func (p *product) generate(why string) error {
	p.byLibrary = false
	how, err := p.divide()
	if err != nil {
		return err
	}
	how = "generated, " + how
	if why != "" {
		how += ", since " + why
	}
	p.matrix.ReportHow(how)
	if p.matrix.RowDim == 1 && p.matrix.ColDim == 1 { // layouts make no difference
		p.kernels[layouts{}] = p.compileFor(layouts{})
	}
	return nil
}

// divide determines how many work-items share the rows, and returns a short description.
func (p *product) divide() (how string, err error) {
	e, m := p.engine, p.matrix
	p.options = e.productOptions(&m)
	if !e.info.CPU {
		p.groups = p.options.ProductGroups(int(p.rows), m.RowDim)
		return fmt.Sprintf("work-items for a value: %d", p.options.Lanes), nil
	}
	values := len(m.ColIdx) * m.RowDim * m.ColDim
	p.groups = max(1, min(e.info.Units, values/e.limits.ProductShare))
	p.pattern.share, err = e.ints(divideRows(m.RowPtr, p.groups))
	return fmt.Sprintf("work-items: %d", p.groups), err
}

// productOptions returns the options for generating the product's source, but for the layouts of the vectors.
func (e *engine) productOptions(m *backend.Matrix) devicecode.ProductOptions {
	o := devicecode.ProductOptions{Dialect: e.kind.Dialect, GroupSize: e.info.MaxGroup, Lanes: 1, Uncontracted: e.config.Choices.HostFlags.Has(uncontracted)}
	if e.info.CPU {
		o.GroupSize = 1
	} else {
		o.Lanes = devicecode.ProductLanes(float64(len(m.ColIdx))/float64(max(len(m.RowPtr)-1, 1)), m.RowDim, e.info.MaxGroup)
	}
	return o
}

// productSource returns the source of a product with vectors in certain layouts.
func (e *engine) productSource(m *backend.Matrix, o devicecode.ProductOptions, l layouts) device.Source {
	o.SoAX, o.SoAY = l.x, l.y
	program := devicecode.Product(m.Scalar, m.RowDim, m.ColDim, o)
	return device.Source{Name: program.Name, Text: program.Text, Flags: e.flags(e.config.Choices, e.config.Choices.HostFlags.Has(uncontracted), false)}
}

// layoutsOf returns the layouts of vectors that are stored component by component, or not.
func layoutsOf(m *backend.Matrix, y, x bool) layouts {
	return layouts{x: x && m.ColDim > 1, y: y && m.RowDim > 1}
}

// divideRows assigns rows to work-items such that each gets about as many nonzeros; an empty row
// costs something, too.
func divideRows(first []int32, items int) []int32 {
	rows := len(first) - 1
	weight := func(row int) int64 { return int64(first[row]) + 2*int64(row) }
	share := make([]int32, items+1)
	row := 0
	for i := 1; i < items; i++ {
		for row < rows && weight(row) < weight(rows)*int64(i)/int64(items) {
			row++
		}
		share[i] = int32(row)
	}
	share[items] = int32(rows)
	return share
}

// compileFor starts to compile the product for vectors in certain layouts.
func (p *product) compileFor(l layouts) *multiplication {
	return &multiplication{build: p.engine.compile(p.engine.productSource(&p.matrix, p.options, l))}
}

// multiplication returns the product for vectors in certain layouts, ready to run.
func (p *product) multiplication(l layouts) (*multiplication, error) {
	k := p.kernels[l]
	if k == nil {
		k = p.compileFor(l)
		p.kernels[l] = k
	}
	if k.kernel != nil {
		return k, nil
	}
	kernel, err := k.build.Kernel("product")
	if err != nil {
		return nil, err
	}
	if f := kernel.Figures(); f.MaxGroup > 0 && f.MaxGroup < p.options.GroupSize {
		return nil, fmt.Errorf("a group of %d work-items does not fit the device, only one of %d", p.options.GroupSize, f.MaxGroup)
	}
	extent := device.ArgOf(&p.rows)
	if p.options.GroupSize == 1 {
		extent = device.ArgOf(&p.pattern.share.buffer)
	}
	k.args = []device.Arg{extent, device.ArgOf(&p.pattern.first.buffer), device.ArgOf(&p.pattern.column.buffer), device.ArgOf(&p.values), device.ArgOf(&p.x), device.ArgOf(&p.y)}
	if l.x {
		k.args = append(k.args, device.ArgOf(&p.columns))
	}
	if l.y {
		k.args = append(k.args, device.ArgOf(&p.apart))
	}
	k.kernel, k.groups, k.size = kernel, p.groups, p.options.GroupSize
	return k, nil
}

// Ready waits for the compiler, if there is anything to compile yet.
func (p *product) Ready() error {
	for l := range p.kernels {
		if _, err := p.multiplication(l); err != nil {
			return err
		}
	}
	return nil
}

// Run queues the product.
func (p *product) Run(y, x backend.Vector) error {
	e := p.engine
	e.garbage.Sweep(e.device)
	l := layoutsOf(&p.matrix, y.SoA, x.SoA)
	var err error
	if p.values, err = p.matrix.Mirror.Bring(true, tune.AoS); err != nil {
		return err
	}
	if p.x, err = x.Mirror.Bring(true, tune.LayoutOf(l.x)); err != nil {
		return err
	}
	if p.y, err = y.Mirror.Bring(false, tune.LayoutOf(l.y)); err != nil {
		return err
	}
	p.columns, p.apart = int64(x.Mirror.Shape().Elements), int64(y.Mirror.Shape().Elements)
	launch, err := p.launcher(l)
	if err != nil {
		return err
	}
	y.Mirror.Wrote(tune.LayoutOf(l.y))
	if p.rows == 0 {
		return nil
	}
	timing, err := e.timing(launch)
	if err != nil {
		return err
	}
	return e.timed(timing, p.matrix.ReportTime)
}

// launcher returns the function that multiplies: the library's, unless it turns out that it cannot,
// or the generated one.
func (p *product) launcher(l layouts) (func() error, error) {
	if p.byLibrary && p.library == nil {
		e := p.engine
		library, err := e.sparse.prepare(p)
		if err == nil {
			p.library = library
			p.matrix.ReportHow(e.sparse.how(e.config.Choices.NoAtomics))
		} else {
			e.warn(err)
			err = p.generate(reason(err))
		}
		if err != nil {
			return nil, err
		}
	}
	if p.library != nil {
		return func() error { return p.library.Run(p.y, p.x, p.values) }, nil
	}
	k, err := p.multiplication(l)
	if err != nil {
		return nil, err
	}
	return k.run, nil
}

// prepare prepares the current product.
func (s *sparse) prepare(p *product) (device.SparseProduct, error) {
	e, m := p.engine, &p.matrix
	var workspace []device.Buffer
	prepared, err := s.library.Prepare(device.SparseMatrix{
		Rows: int(p.rows), Cols: m.Cols, Nonzeros: len(m.ColIdx),
		First: p.pattern.first.buffer, Column: p.pattern.column.buffer, Values: p.values,
		Double: m.Scalar == loop.Float64, Deterministic: e.config.Choices.NoAtomics,
	}, p.y, p.x, func(bytes int) (device.Buffer, error) {
		b, err := e.alloc(bytes)
		if err == nil {
			workspace = append(workspace, b)
		}
		return b, err
	})
	if err != nil {
		for _, b := range workspace {
			e.device.Free(b)
		}
		return nil, err
	}
	device.LeaveTo(&e.garbage, p, workspace)
	return prepared, nil
}
