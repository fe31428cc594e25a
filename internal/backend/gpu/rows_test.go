package gpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/tune"
)

// Rows reach the buffer, and others the values, for every size and layout.
func TestRows(t *testing.T) {
	for name, k := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			testRows[uint8](t, k)
			testRows[int16](t, k)
			testRows[float32](t, k)
			testRows[uint64](t, k)
		})
	}
}

func testRows[T uint8 | int16 | float32 | uint64](t *testing.T, k gpu.Kind) {
	b := open(t, k, backend.Config{})
	d := b.Device()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, uint64(unsafe.Sizeof(*new(T)))))
	for _, dim := range []int{1, 2, 3, 5} {
		for _, layout := range []tune.Layout{tune.AoS, tune.SoA} {
			elements, rows := 400, random.IntN(300)
			host := make([]T, elements*dim)
			for i := range host {
				host[i] = T(i)
			}
			var moved device.Transfers
			v := newValues(d, host, dim, &moved)
			if _, err := v.mirror.Use(true, true, layout); err != nil {
				t.Fatal(err)
			}
			r := backend.Rows{Mirror: v.mirror}
			want := make([]T, rows*dim) // of the buffer
			order := random.Perm(elements)
			for i, place := range random.Perm(rows) {
				e := order[i]
				r.Elements, r.Places = append(r.Elements, int32(e)), append(r.Places, int32(place*dim))
				copy(want[place*dim:][:dim], host[e*dim:])
			}
			copies, err := b.PrepareRows(r)
			ok(err)
			bytes := len(want) * int(unsafe.Sizeof(want[0]))
			buffer, err := d.Alloc(max(bytes, 8))
			ok(err)
			ok(copies.Gather(buffer))
			got := make([]T, len(want)+1)
			ok(d.Download(unsafe.Pointer(&got[0]), buffer, 0, bytes))
			if !slices.Equal(got[:len(want)], want) {
				t.Errorf("dim %d, layout %v: %v in the buffer, want %v", dim, layout, got, want)
			}

			for i := range got {
				got[i] = T(7 * i)
			}
			ok(d.Upload(buffer, 0, unsafe.Pointer(&got[0]), bytes))
			ok(copies.Scatter(buffer))
			after := slices.Clone(host)
			for i, e := range r.Elements {
				copy(after[int(e)*dim:][:dim], got[r.Places[i]:])
			}
			ok(v.mirror.Host(false))
			if !slices.Equal(host, after) {
				t.Errorf("dim %d, layout %v: the values are %v, want %v", dim, layout, host, after)
			}
			d.Free(buffer)
		}
	}
}
