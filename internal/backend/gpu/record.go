package gpu

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/translate/unit"
)

// Recorder leaves the programs that a backend compiles in the folder for op2 translate. It needs no device: the programs
// are those for devices with the resources that every GPU has.
type Recorder struct {
	engine *engine
	about  unit.Unit // what the next programs are of
	err    error     // of the last program of a loop
}

// NewRecorder returns a recorder for GPUs, or for processors.
func (k Kind) NewRecorder(c backend.Config, cpu bool) (*Recorder, error) {
	c.Static = true
	b, err := k.open(c)
	if err != nil {
		return nil, err
	}
	r := &Recorder{engine: b.(*engine)}
	r.engine.info.CPU = cpu
	r.engine.device = &recording{recorder: r}
	return r, nil
}

// Loop records what a loop compiles to, and the copies of rows of its data that ranks need.
func (r *Recorder) Loop(s backend.Spec, m backend.Memory) error {
	r.about = unit.Unit{About: s.Kernel.Name, Hash: s.Hash().String(), At: s.Place()}
	if _, err := r.engine.Prepare(s, m); err != nil {
		return err
	}
	err := r.err
	for _, d := range s.Loop.Data {
		if d.Kind == loop.Dat && err == nil {
			r.about = unit.Unit{About: fmt.Sprintf("copies of rows of values of %d bytes, for ranks", d.Type.Size())}
			err = r.leave(r.engine.rowSource(d.Type.Size()))
		}
	}
	return err
}

// Product records what a product compiles to.
func (r *Recorder) Product(m backend.Matrix, y, x bool) error {
	r.about = unit.Unit{About: "a product of a sparse matrix and a vector"}
	return r.leave(r.engine.productSource(&m, r.engine.productOptions(&m), layoutsOf(&m, y, x)))
}

// leave leaves a program in the folder.
func (r *Recorder) leave(s device.Source) error {
	u := r.about
	u.Device, u.Key, u.Name, u.Text, u.Flags = r.engine.kind.Target(r.engine.info.CPU), r.engine.key(s), s.Name, s.Text, s.Flags
	return u.Write(r.engine.config.Translate)
}

// recording is a device on which loops are prepared, but never run.
type recording struct {
	device.Device
	recorder *Recorder
}

// Build records a program.
func (d *recording) Build(s device.Source) device.Program {
	d.recorder.err = d.recorder.leave(s)
	return refused{fmt.Errorf("%s is recorded, not compiled", s.Name)}
}
