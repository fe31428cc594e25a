package core

import (
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
)

// A global waits for the ranks' results when its value is read or changed, and not when the program replaces it,
// which is then what remains.
func TestReductionIsWaitedFor(t *testing.T) {
	for _, test := range []struct {
		name   string
		use    func(g *Storage) error
		waited int
		want   float64
	}{
		{"read", func(g *Storage) error { return g.Bring(false) }, 1, 15},
		{"change", func(g *Storage) error { return g.Bring(true) }, 1, 15},
		{"twice", func(g *Storage) error { _ = g.Bring(false); return g.Bring(false) }, 1, 15},
		{"copy", func(g *Storage) error { return NewStorage(g.Shape()).Take(g) }, 1, 15},
		{"replace", func(g *Storage) error { g.Discard(); Values[float64](g)[0] = 7; return g.Bring(false) }, 0, 7},
		{"zero", func(g *Storage) error { return g.Zero() }, 0, 0},
	} {
		g := NewStorage(device.Shape{Elements: 1, Dim: 1, Size: 8})
		g.Memory()
		Values[float64](g)[0] = 10
		sum, total := []loop.Reduction{{Access: loop.Inc, Type: loop.Float64, Dim: 1}}, 5.0
		p, ranks := newReducing(sum, func(time.Duration) {}), &slow{Comm: comm.Alone}
		add := finish(func() error { Values[float64](g)[0] += total; return nil })
		if err := p.start(ranks, add, sum, []*Storage{g}, []unsafe.Pointer{unsafe.Pointer(&total)}); err != nil {
			t.Fatal(err)
		}
		if err := test.use(g); err != nil || ranks.waited != test.waited {
			t.Errorf("%s: waited %d times, want %d: %v", test.name, ranks.waited, test.waited, err)
		}
		if err := p.settle(); err != nil { // as before the loop's next call
			t.Error(err)
		}
		if got := Values[float64](g)[0]; got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// slow is ranks whose results come when they are waited for.
type slow struct {
	comm.Comm
	waited int
}

func (s *slow) Reduce(loop.Reduction, unsafe.Pointer) (comm.Request, error) { return s, nil }
func (s *slow) Wait() error                                                 { s.waited++; return nil }

type finish func() error

func (f finish) Finish() error { return f() }
