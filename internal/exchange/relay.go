package exchange

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/store"
)

// relay brings rows of storages from a device to messages, or from messages to a device, by way of a
// buffer there: kernels gather the rows of all storages and messages in the buffer, or scatter them
// from it, and one transfer moves it. Storages whose values are on the host have no part in that.
//
// A nil relay is that of a runtime without a device.
type relay struct {
	by     Link
	of     *messages
	rows   []relayed
	buffer device.Buffer
	fetch  device.Fetch // of the buffer to the memory of the messages
}

// relayed is the rows of one storage.
type relayed struct {
	storage  *store.Storage
	gathered bool              // the device packs what is sent next
	copies   backend.RowCopies // nil until they are needed
}

// newRelay returns a relay for the messages. It allocates nothing on the device yet.
func newRelay(by Link, of *messages) *relay {
	if by.Device == nil || len(of.memory) == 0 {
		return nil
	}
	r := &relay{by: by, of: of}
	for _, m := range of.List {
		for _, p := range m.Rows {
			if r.find(p.storage) < 0 {
				r.rows = append(r.rows, relayed{storage: p.storage})
			}
		}
	}
	return r
}

// find returns the index of the rows of a storage; -1 if there are none.
func (r *relay) find(s *store.Storage) int {
	return slices.IndexFunc(r.rows, func(rows relayed) bool { return rows.storage == s })
}

// start starts to bring to the messages the rows of storages that only the device has. It reports
// whether there are any.
func (r *relay) start() (any bool, err error) {
	if r == nil {
		return false, nil
	}
	for i := range r.rows {
		rows := &r.rows[i]
		if rows.gathered = !rows.storage.HostValid(); !rows.gathered {
			continue
		}
		if err := r.prepare(rows); err != nil {
			return false, err
		}
		if err := rows.copies.Gather(r.buffer); err != nil {
			return false, err
		}
		any = true
	}
	if !any {
		return false, nil
	}
	if r.fetch == nil {
		if r.fetch, err = r.by.Device.Device().PrepareFetch(r.of.memory, r.buffer); err != nil {
			return false, err
		}
		fetch := r.fetch
		device.Leave(r.by.Device.Garbage(), r, func(device.Device) { fetch.Free() })
	}
	return true, r.fetch.Start()
}

// finish waits for the transfers that have been started. Rows of storages that the host has are then
// still to be packed.
func (r *relay) finish() error {
	r.by.Transfers.ToHost++
	r.by.Transfers.BytesToHost += int64(len(r.of.memory))
	return r.fetch.Wait()
}

// gathered reports whether the device packs the rows of a storage.
func (r *relay) gathered(s *store.Storage) bool { return r != nil && r.rows[r.find(s)].gathered }

// scatter brings the rows of messages to the storages that the device has. Those that the host has are
// there already.
func (r *relay) scatter() error {
	if r == nil {
		return nil
	}
	uploaded := false
	for i := range r.rows {
		rows := &r.rows[i]
		if rows.storage.HostValid() {
			rows.storage.Mirror().Patched()
		}
		if !rows.storage.OnDevice() {
			continue
		}
		if err := r.prepare(rows); err != nil {
			return err
		}
		if !uploaded {
			if err := r.upload(); err != nil {
				return err
			}
			uploaded = true
		}
		if err := rows.copies.Scatter(r.buffer); err != nil {
			return err
		}
	}
	return nil
}

// upload brings all messages to the buffer.
func (r *relay) upload() error {
	memory := r.of.memory
	r.by.Transfers.ToDevice++
	r.by.Transfers.BytesToDevice += int64(len(memory))
	return r.by.Device.Device().Upload(r.buffer, 0, unsafe.Pointer(unsafe.SliceData(memory)), len(memory))
}

// prepare prepares to copy the rows of a storage.
func (r *relay) prepare(rows *relayed) error {
	if rows.copies != nil {
		return nil
	}
	if err := r.allocate(); err != nil {
		return err
	}
	s := rows.storage
	if n := len(r.of.memory) / s.Shape().Size; n > math.MaxInt32 {
		return fmt.Errorf("%d values of halos at once are more than devices number", n)
	}
	list := backend.Rows{Mirror: s.Mirror()}
	for _, m := range r.of.List {
		for _, p := range m.Rows {
			if p.storage != s {
				continue
			}
			for i := range p.N {
				list.Elements = append(list.Elements, int32(p.Element(i)))
				list.Places = append(list.Places, int32((p.at+i*p.row)/s.Shape().Size))
			}
		}
	}
	var err error
	rows.copies, err = r.by.Device.PrepareRows(list)
	return err
}

// allocate allocates the buffer.
func (r *relay) allocate() error {
	if r.buffer != 0 {
		return nil
	}
	garbage := r.by.Device.Garbage()
	var err error
	if r.buffer, err = garbage.Alloc(r.by.Device.Device(), len(r.of.memory)); err == nil {
		device.LeaveTo(garbage, r, []device.Buffer{r.buffer})
	}
	return err
}
