package cuda

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

// graph is recorded launches: a CUDA graph that is ready to run.
type graph struct {
	device *Device
	handle uintptr    // 0 once freed
	launch [2]uintptr // arguments of cuGraphLaunch
}

// Record captures the launches of queue in a graph. Drivers before CUDA 11.4 cannot; other refusals
// of the driver say why, unless the device is lost.
func (d *Device) Record(queue func() error) (device.Recording, error) {
	if !d.driver.graphsExist {
		return nil, fmt.Errorf("%w: the driver is older than CUDA 11.4", device.ErrNotRecorded)
	}
	captured, err := d.capture(queue)
	if err != nil {
		return nil, err
	}
	defer d.leave()
	if err := d.enter(); err != nil {
		return nil, err
	}
	g := &graph{device: d}
	err = d.call(d.driver.graphs.cuGraphInstantiateWithFlags, uintptr(unsafe.Pointer(&g.handle)), captured, 0)
	_ = d.call(d.driver.graphs.cuGraphDestroy, captured)
	if err != nil {
		return nil, d.refused(err)
	}
	g.launch = [2]uintptr{g.handle, d.stream}
	d.graphs[g] = struct{}{}
	return g, nil
}

// capture returns the graph of the launches of queue. The stream is never left capturing.
func (d *Device) capture(queue func() error) (uintptr, error) {
	const relaxed = 2 // other calls remain possible, on all threads
	if err := d.within(d.driver.graphs.cuStreamBeginCapture_v2, d.stream, relaxed); err != nil {
		return 0, d.refused(err)
	}
	err := queue()
	captured := new(uintptr)
	endErr := d.within(d.driver.graphs.cuStreamEndCapture, d.stream, uintptr(unsafe.Pointer(captured)))
	if err == nil && endErr == nil {
		return *captured, nil
	}
	if *captured != 0 {
		_ = d.within(d.driver.graphs.cuGraphDestroy, *captured)
	}
	if err != nil {
		return 0, err
	}
	return 0, d.refused(endErr)
}

// within calls a function of the driver with the context current.
//
//go:uintptrescapes
func (d *Device) within(f native.Function, args ...uintptr) error {
	defer d.leave()
	if err := d.enter(); err != nil {
		return err
	}
	return d.call(f, args...)
}

// refused marks an error as one after which launching as usual remains possible, unless the device is
// lost.
func (d *Device) refused(err error) error {
	var failed *device.Error
	if d.fault != nil || errors.As(err, &failed) && failed.Lost {
		return err
	}
	return fmt.Errorf("%w: %w", device.ErrNotRecorded, err)
}

// Queue queues the launches.
func (g *graph) Queue() error {
	d := g.device
	if g.handle == 0 {
		return &device.Error{Device: d.info.Name, Call: "cuGraphLaunch", Code: "the graph has been freed"}
	}
	return d.within(d.driver.graphs.cuGraphLaunch, g.launch[:]...)
}

// Free frees the graph. The driver finishes runs that are queued.
func (g *graph) Free() {
	d := g.device
	if g.handle == 0 || d.context == 0 {
		return
	}
	defer d.leave()
	if d.enter() == nil {
		g.destroy()
	}
}

func (g *graph) destroy() {
	d := g.device
	_ = d.call(d.driver.graphs.cuGraphExecDestroy, g.handle)
	g.handle = 0
	delete(d.graphs, g)
}
