package gpu

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/pretend"
	"github.com/go-op2/op2/internal/loop"
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

// A loop's flags for the device follow those that its C flags and its program imply.
func TestDeviceFlags(t *testing.T) {
	e := &engine{kind: Kind{Dialect: codegen.CUDA}}
	for _, test := range []struct {
		chosen choice.Choices
		want   []string
	}{
		{choice.Choices{}, []string{"--fmad=false"}},
		{choice.Choices{DeviceFlags: "-Xptxas -dlcm=cg", HostFlags: "-O3"}, []string{"--fmad=false", "-Xptxas", "-dlcm=cg"}},
	} {
		if got := e.flags(test.chosen, true, false); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.chosen, got, test.want)
		}
	}
}

// What a device does not allow is an error if the user has chosen it, and otherwise does not count.
func TestGroupsThatCannotBe(t *testing.T) {
	kind := Kind{Open: func(device.Config) (device.Device, error) { return &grouped{most: 512}, nil }}
	b, err := kind.open(backend.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	reduces := &loop.Loop{Args: []loop.Arg{{Kind: loop.Global, Access: loop.Inc}}}
	for _, test := range []struct {
		loop  *loop.Loop
		group int
		by    choice.By
		want  int
		err   string
	}{
		{&loop.Loop{}, 0, choice.User, 256, ""},
		{&loop.Loop{}, 512, choice.User, 512, ""},
		{&loop.Loop{}, 96, choice.User, 96, ""},
		{&loop.Loop{}, 1024, choice.User, 0, "groups of 1024 work-items: test has at most 512"},
		{&loop.Loop{}, 1024, choice.Wisdom, 256, ""},
		{reduces, 96, choice.User, 0, "groups of 96 work-items: the loop reduces, which needs a power of two"},
		{reduces, 96, choice.Tuning, 256, ""},
	} {
		s := backend.Spec{Loop: test.loop, Chosen: choice.Choices{Group: test.group}.By(test.by)}
		got, err := b.(*engine).itemsOf(&s)
		if text := fmt.Sprint(err); got != test.want || (test.err != "" || err != nil) && text != test.err {
			t.Errorf("%d by the %s: got %d, %v", test.group, test.by, got, err)
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
