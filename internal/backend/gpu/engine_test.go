package gpu

import (
	"testing"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/devicetest"
)

// grouped is a device whose groups have at most that many work-items.
type grouped struct {
	devicetest.Device
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
