package entity

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// Update brings the halo of a dat up to date. It is collective.
func (d *Data) Update() error {
	if err := d.set.alike("the halo of "+d.name+" is brought up to date", "it is "+d.HaloState()); err != nil {
		return err
	}
	valid := d.storage.Halo().Valid
	if valid >= len(d.set.parts) {
		return nil
	}
	u, err := exchange.NewUpdate(d.rt.Link(), []exchange.Stale{d.Stale(valid, len(d.set.parts))})
	if err != nil {
		return d.rt.Broken(err)
	}
	defer u.Exchange.Free()
	if err := u.Start(); err != nil {
		return d.rt.Broken(err)
	}
	if err := u.Finish(); err != nil {
		return d.rt.Broken(err)
	}
	if err := u.Exchange.Wait(); err != nil {
		return d.rt.Broken(err)
	}
	d.storage.Filled()
	return nil
}

// Update is an update of a dat's halo that has been started; nil if there is nothing to update.
type Update struct {
	data   *Data
	update *exchange.Update
}

// StartUpdate starts to bring the first layer of a dat's halo up to date. Until Finish, the values
// must not change, and those of the halo not be read. It is collective, and does nothing on one rank.
func (d *Data) StartUpdate() (*Update, error) {
	h, wanted := d.storage.Halo(), min(matPrefix, len(d.set.parts))
	h.Wanted = max(h.Wanted, wanted)
	if h.Valid >= wanted {
		return nil, nil
	}
	u := d.updates.forward[h.Valid]
	if u == nil {
		var err error
		if u, err = exchange.NewUpdate(d.rt.Link(), []exchange.Stale{d.Stale(h.Valid, matPrefix)}); err != nil {
			return nil, d.rt.Broken(err)
		}
		if d.updates.forward == nil {
			d.updates.forward = map[int]*exchange.Update{}
		}
		d.updates.forward[h.Valid] = u
	}
	if err := u.Start(); err != nil {
		return nil, d.rt.Broken(err)
	}
	return &Update{d, u}, nil
}

// Finish waits for the values.
func (u *Update) Finish() error {
	if u == nil {
		return nil
	}
	if err := u.update.Finish(); err != nil {
		return u.data.rt.Broken(err)
	}
	u.data.storage.Halo().Valid = matPrefix
	return nil
}

// Sent returns the number of messages of this rank and their bytes, and, after Finish, the time that it
// has waited for those of others.
func (u *Update) Sent() (messages, bytes int64, waited time.Duration) {
	if u == nil {
		return 0, 0, 0
	}
	return int64(len(u.update.Sends.List)), u.update.Sends.Bytes, u.update.Waited
}

// Stale returns the values of the halo after a prefix, up to another.
func (d *Data) Stale(from, to int) exchange.Stale {
	return exchange.Stale{Storage: d.storage, Parts: d.set.parts, Row: d.dim * d.scalar.Size(), From: from, To: to}
}

// AddHalo adds the host's values in the first layer of the halo to those of the elements' owners, rank
// by rank. It is collective.
func (d *Data) AddHalo() error {
	if err := d.Bring(true); err != nil {
		return err
	}
	u := d.updates.reverse
	if u == nil {
		var err error
		if u, err = exchange.NewReverse(d.rt.Link(), d.Stale(halo.Owned, matPrefix)); err != nil {
			return d.rt.Broken(err)
		}
		d.updates.reverse = u
	}
	for _, m := range u.Sends.List {
		m.EachRow(func(row []byte, at unsafe.Pointer) { copy(row, unsafe.Slice((*byte)(at), len(row))) })
	}
	err := u.Exchange.Start()
	if err == nil {
		err = u.Exchange.Wait()
	}
	if err != nil {
		return d.rt.Broken(err)
	}
	add := loop.Reduction{Access: loop.Inc, Type: d.scalar, Dim: d.dim}
	for _, m := range u.Receives.List {
		m.EachRow(func(row []byte, at unsafe.Pointer) { add.Combine(at, unsafe.Pointer(unsafe.SliceData(row))) })
	}
	return nil
}

// matPrefix is the prefix that a matrix has columns in: what owned elements, and those of the first
// layer that contribute to owned rows, lead to.
const matPrefix = 2

// HaloState describes which values of a distributed dat's halo are valid.
func (d *Data) HaloState() string {
	s := d.storage.Halo()
	switch parts := len(d.set.parts); {
	case s.Valid >= parts:
		return "valid"
	case s.Through != nil && s.Reached > s.Valid:
		return "valid where " + s.Through.Map + " leads"
	case s.Valid == halo.Owned:
		return "outdated"
	default:
		return fmt.Sprintf("valid in %d of %d parts", s.Valid, parts)
	}
}
