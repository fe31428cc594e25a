package exchange

import (
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
)

// A global waits for the ranks' results when its value is read or changed, and not when the program replaces it,
// which is then what remains.
func TestReductionIsWaitedFor(t *testing.T) {
	for _, test := range []struct {
		name   string
		use    func(g *store.Storage) error
		waited int
		want   float64
	}{
		{"read", func(g *store.Storage) error { return g.Bring(false) }, 1, 15},
		{"change", func(g *store.Storage) error { return g.Bring(true) }, 1, 15},
		{"twice", func(g *store.Storage) error { _ = g.Bring(false); return g.Bring(false) }, 1, 15},
		{"copy", func(g *store.Storage) error { return store.NewStorage(g.Shape()).Take(g) }, 1, 15},
		{"replace", func(g *store.Storage) error { g.Discard(); store.Values[float64](g)[0] = 7; return g.Bring(false) }, 0, 7},
		{"zero", func(g *store.Storage) error { return g.Zero() }, 0, 0},
	} {
		g := store.NewStorage(device.Shape{Elements: 1, Dim: 1, Size: 8})
		g.Memory()
		store.Values[float64](g)[0] = 10
		sum, total := []loop.Reduction{{Access: loop.Inc, Type: loop.Float64, Dim: 1}}, 5.0
		p, ranks := NewReducing(sum, func(time.Duration) {}), &slow{Comm: comm.Alone}
		add := finish(func() error { store.Values[float64](g)[0] += total; return nil })
		if err := p.Start(ranks, add, sum, []*store.Storage{g}, []unsafe.Pointer{unsafe.Pointer(&total)}); err != nil {
			t.Fatal(err)
		}
		if err := test.use(g); err != nil || ranks.waited != test.waited {
			t.Errorf("%s: waited %d times, want %d: %v", test.name, ranks.waited, test.waited, err)
		}
		if err := p.Settle(); err != nil { // as before the loop's next call
			t.Error(err)
		}
		if got := store.Values[float64](g)[0]; got != test.want {
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
