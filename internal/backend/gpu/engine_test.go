package gpu

import (
	"context"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/pretend"
	"github.com/go-op2/op2/internal/stop"
	"github.com/go-op2/op2/internal/tune"
)

// grouped is a device whose groups have at most that many work-items.
type grouped struct {
	pretend.Device
	most int
}

func (g *grouped) Info() device.Info {
	info := g.Device.Info()
	info.MaxGroup = g.most
	return info
}

// Reductions halve groups, whatever the device's maximum is.
func TestGroupSize(t *testing.T) {
	for most, want := range map[int]int{0: 1, 1: 1, 12: 8, 64: 64, 192: 128, 384: 256, 1024: 256} {
		kind := Kind{Open: func(device.Config) (device.Device, error) { return &grouped{most: most}, nil }}
		b, err := kind.open(backend.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := b.(*engine).info.MaxGroup; got != want {
			t.Errorf("of %d work-items groups have %d, want %d", most, got, want)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

// lasting is the timing of a call that takes that long.
type lasting time.Duration

func (l lasting) Elapsed() (time.Duration, error) { return time.Duration(l), nil }

// With a context that may end, long calls do not pile up on the device.
func TestPending(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	limits := tune.Device{Pending: 64, PendingTime: 500 * time.Millisecond}
	for _, test := range []struct {
		stop *stop.Flag
		call time.Duration
		want int
	}{
		{nil, time.Minute, limits.Pending},
		{stop.New(ctx), time.Minute, 1},
		{stop.New(ctx), 100 * time.Millisecond, 5},
		{stop.New(ctx), time.Microsecond, limits.Pending},
		{stop.New(ctx), 0, limits.Pending},
	} {
		e := &engine{limits: limits, config: backend.Config{Stop: test.stop}}
		for range 2 * limits.Pending {
			if err := e.timed(lasting(test.call), func(time.Duration) {}); err != nil {
				t.Fatal(err)
			}
		}
		if len(e.pending) != test.want {
			t.Errorf("%d calls of %v are pending, want %d", len(e.pending), test.call, test.want)
		}
	}
}
