package store

import (
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/device/pretend"
	"github.com/go-op2/op2/internal/tune"
)

// Each operation leaves the values that it should, on the host and with a device, and only
// those that may write count as writes.
func TestStorage(t *testing.T) {
	for _, shared := range []bool{false, true} {
		transfers := &device.Transfers{}
		d, garbage := &pretend.Device{}, &device.Garbage{}
		newStorage := func() *Storage {
			s := NewStorage(device.Shape{Elements: 3, Dim: 2, Size: 8})
			if shared {
				s.Share("dat q", true, d, garbage, transfers)
			} else {
				s.Memory()
			}
			return s
		}
		s, other := newStorage(), newStorage()
		if got := len(Values[float64](s)); shared && got != 0 || !shared && got != 6 {
			t.Errorf("shared %t: %d values before they are needed", shared, got)
		}
		read := func(s *Storage) []float64 {
			if err := s.Bring(false); err != nil {
				t.Fatal(err)
			}
			return Values[float64](s)
		}
		for _, step := range []struct {
			name   string
			do     func() error
			writes uint64
			want   float64
		}{
			{"nothing", func() error { return nil }, 0, 0},
			{"write", func() error {
				err := s.Bring(true)
				Values[float64](s)[5] = 1
				return err
			}, 1, 1},
			{"device", func() error { // a loop adds 1 there
				if !shared {
					Values[float64](s)[5]++
					s.Wrote()
					return nil
				}
				b, err := s.Mirror().Use(true, true, tune.SoA)
				(*[6]float64)(d.Memory(b))[5]++
				s.Wrote()
				return err
			}, 1, 2},
			{"copy", func() error {
				other.Discard()
				for i := range Values[float64](other) {
					Values[float64](other)[i] = 3
				}
				if shared {
					if _, err := other.Mirror().Use(true, false, tune.SoA); err != nil {
						return err
					}
				}
				done, err := s.CopyOnDevice(other)
				if done != shared {
					t.Errorf("shared %t: copied there: %t", shared, done)
				}
				if !done {
					s.Discard()
					copy(Values[float64](s), Values[float64](other))
				}
				return err
			}, 1, 3},
			{"zero", func() error { return s.Zero() }, 1, 0},
		} {
			before := s.Version()
			if err := step.do(); err != nil {
				t.Fatal(err)
			}
			if got := s.Version() - before; got != step.writes {
				t.Errorf("shared %t: %s: %d writes, want %d", shared, step.name, got, step.writes)
			}
			if got := read(s); len(got) != 6 || got[5] != step.want {
				t.Errorf("shared %t: %s: %v, want %v at the end", shared, step.name, got, step.want)
			}
		}
		if got := slices.Max(read(s)); got != 0 {
			t.Errorf("shared %t: the largest value is %v after Zero", shared, got)
		}
	}
}
