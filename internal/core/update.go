package core

import (
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// Update brings the halo of a dat up to date. It is collective.
func (d *Data) Update() error {
	if d.set == nil || !d.set.distributed() {
		return nil
	}
	if err := d.rt.alike("the halo of "+d.name+" is brought up to date", []string{"it is " + d.haloState()}); err != nil {
		return err
	}
	valid := d.storage.Halo().Valid
	if valid >= len(d.set.distribution.parts) {
		return nil
	}
	u, err := newUpdate(d.rt.link(), []stale{d.stale(valid, len(d.set.distribution.parts))})
	if err != nil {
		return d.rt.broken(err)
	}
	defer u.exchange.Free()
	if err := u.start(); err != nil {
		return d.rt.broken(err)
	}
	if err := u.finish(); err != nil {
		return d.rt.broken(err)
	}
	if err := u.exchange.Wait(); err != nil {
		return d.rt.broken(err)
	}
	d.storage.Filled()
	return nil
}

// updates are the prepared exchanges of a dat's halo.
type updates struct {
	forward map[int]*update // by the prefix that is valid
	reverse *update
}

// Update is an update of a dat's halo that has been started; nil if there is nothing to update.
type Update struct {
	data   *Data
	update *update
}

// StartUpdate starts to bring the first layer of a dat's halo up to date. Until Finish, the values
// must not change, and those of the halo not be read. It is collective, and does nothing on one rank.
func (d *Data) StartUpdate() (*Update, error) {
	if d.set == nil || !d.set.distributed() {
		return nil, nil
	}
	h := d.storage.Halo()
	h.Wanted = max(h.Wanted, needed)
	if h.Valid >= needed {
		return nil, nil
	}
	u := d.updates.forward[h.Valid]
	if u == nil {
		var err error
		if u, err = newUpdate(d.rt.link(), []stale{d.stale(h.Valid, needed)}); err != nil {
			return nil, d.rt.broken(err)
		}
		if d.updates.forward == nil {
			d.updates.forward = map[int]*update{}
		}
		d.updates.forward[h.Valid] = u
	}
	if err := u.start(); err != nil {
		return nil, d.rt.broken(err)
	}
	return &Update{d, u}, nil
}

// Finish waits for the values.
func (u *Update) Finish() error {
	if u == nil {
		return nil
	}
	if err := u.update.finish(); err != nil {
		return u.data.rt.broken(err)
	}
	u.data.storage.Halo().Valid = needed
	return nil
}

// Sent returns the number of messages of this rank and their bytes, and, after Finish, the time that it
// has waited for those of others.
func (u *Update) Sent() (messages, bytes int64, waited time.Duration) {
	if u == nil {
		return 0, 0, 0
	}
	return int64(len(u.update.sends.list)), u.update.sends.bytes, u.update.waited
}

// stale returns the values of the halo after a prefix, up to another.
func (d *Data) stale(from, to int) stale {
	return stale{storage: d.storage, parts: d.set.distribution.parts, row: d.dim * d.scalar.Size(), from: from, to: to}
}

// AddHalo adds the host's values in the first layer of the halo to those of the elements' owners, rank
// by rank. It is collective, and does nothing on one rank.
func (d *Data) AddHalo() error {
	if d.set == nil || !d.set.distributed() {
		return nil
	}
	if err := d.Bring(true); err != nil {
		return err
	}
	u := d.updates.reverse
	if u == nil {
		var err error
		if u, err = newReverse(d.rt.link(), d.stale(halo.Owned, needed)); err != nil {
			return d.rt.broken(err)
		}
		d.updates.reverse = u
	}
	for _, m := range u.sends.list {
		m.eachRow(func(row []byte, at unsafe.Pointer) { copy(row, unsafe.Slice((*byte)(at), len(row))) })
	}
	err := u.exchange.Start()
	if err == nil {
		err = u.exchange.Wait()
	}
	if err != nil {
		return d.rt.broken(err)
	}
	add := loop.Reduction{Access: loop.Inc, Type: d.scalar, Dim: d.dim}
	for _, m := range u.receives.list {
		m.eachRow(func(row []byte, at unsafe.Pointer) { add.Combine(at, unsafe.Pointer(unsafe.SliceData(row))) })
	}
	return nil
}

// needed is the prefix that a matrix has columns in: what owned elements, and those of the first
// layer that contribute to owned rows, lead to.
const needed = 2
