package core

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
)

// outdated is values of a storage that other ranks have newer ones of: those of the elements after
// one prefix of its set, up to another.
type outdated struct {
	storage  *Storage
	parts    []halo.Part
	row      int // bytes of an element
	from, to int
	through  *Map // only what loops reach through it; nil: all
}

// update brings halos up to date, by one message to and from each neighbor: what comes from owners
// replaces what this rank has.
type update struct {
	exchange comm.Exchange
	sends    []message
	receives []message
	bytes    int64 // that this rank sends
}

// message is rows of some storages, one after another.
type message struct {
	rank int
	data []byte
	rows []packed
}

// packed is where rows of a message lie in a storage: at a list of elements, or at a run.
type packed struct {
	storage  *Storage
	row      int
	elements []int32
	first, n int
}

// updateTag is the tag of all updates: on all ranks they follow each other in the same order.
const updateTag = 1

// newUpdate prepares the update of some values. It does not communicate.
func newUpdate(c comm.Comm, list []outdated) (*update, error) { return prepare(c, listed(list)) }

// newReverse prepares messages from the halo to the owners.
func newReverse(c comm.Comm, o outdated) (*update, error) {
	u := listed([]outdated{o})
	u.sends, u.receives = u.receives, u.sends
	slices.SortFunc(u.receives, func(a, b message) int { return cmp.Compare(a.rank, b.rank) })
	return prepare(c, u)
}

// listed lists the rows of the messages of an update.
func listed(list []outdated) *update {
	u := &update{}
	for _, o := range list {
		for x := o.from; x < min(o.to, len(o.parts)); x++ {
			for _, s := range o.parts[x].Sends {
				m := messageOf(&u.sends, s.Rank)
				m.rows = append(m.rows, packed{storage: o.storage, row: o.row, elements: s.Elements, n: len(s.Elements)})
			}
			for _, r := range o.parts[x].Receives {
				m := messageOf(&u.receives, r.Rank)
				m.rows = append(m.rows, packed{storage: o.storage, row: o.row, elements: r.Elements, first: r.First, n: r.Count})
			}
		}
	}
	return u
}

// prepare allocates the messages and prepares their exchange.
func prepare(c comm.Comm, u *update) (*update, error) {
	var err error
	u.exchange, err = c.Prepare(allocated(u.sends), allocated(u.receives))
	for _, m := range u.sends {
		u.bytes += int64(len(m.data))
	}
	return u, err
}

// messageOf returns the message of a rank, which is added if there is none.
func messageOf(list *[]message, rank int) *message {
	for i := range *list {
		if (*list)[i].rank == rank {
			return &(*list)[i]
		}
	}
	*list = append(*list, message{rank: rank})
	return &(*list)[len(*list)-1]
}

// allocated gives the messages memory.
func allocated(list []message) []comm.Message {
	messages := make([]comm.Message, len(list))
	for i := range list {
		n := 0
		for _, r := range list[i].rows {
			n += r.n * r.row
		}
		list[i].data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8)))), n)
		messages[i] = comm.Message{Rank: list[i].rank, Tag: updateTag, Data: list[i].data}
	}
	return messages
}

// start sends what this rank owns.
func (u *update) start() error {
	for _, m := range u.sends {
		at := 0
		for _, r := range m.rows {
			if err := r.pack(m.data[at : at+r.n*r.row]); err != nil {
				return err
			}
			at += r.n * r.row
		}
	}
	return u.exchange.Start()
}

// finish waits for what others own.
func (u *update) finish() error {
	if err := u.exchange.Wait(); err != nil {
		return err
	}
	for _, m := range u.receives {
		at := 0
		for _, r := range m.rows {
			if err := r.unpack(m.data[at : at+r.n*r.row]); err != nil {
				return err
			}
			at += r.n * r.row
		}
	}
	return nil
}

// pack copies rows from the storage.
func (r *packed) pack(to []byte) error {
	if len(r.elements) == 0 {
		return nil
	}
	if m := r.storage.mirror; m != nil {
		lowest, highest := r.elements[0], r.elements[0]
		for _, e := range r.elements {
			lowest, highest = min(lowest, e), max(highest, e)
		}
		if err := m.HostPart(int(lowest), int(highest)+1); err != nil {
			return err
		}
	}
	memory := r.storage.Memory()
	if r.row%8 == 0 {
		gather(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(to))), len(to)/8), memory, r.elements, r.row/8)
		return nil
	}
	from := unsafe.Slice((*byte)(memory), r.storage.Bytes())
	for i, e := range r.elements {
		copy(to[i*r.row:(i+1)*r.row], from[int(e)*r.row:])
	}
	return nil
}

// gather copies the rows of some elements, of n words each.
func gather(to []uint64, memory unsafe.Pointer, elements []int32, n int) {
	switch n {
	case 1:
		for i, e := range elements {
			to[i] = *(*uint64)(unsafe.Add(memory, int(e)*8))
		}
	case 2:
		for i, e := range elements {
			*(*[2]uint64)(to[i*2:]) = *(*[2]uint64)(unsafe.Add(memory, int(e)*16))
		}
	case 4:
		for i, e := range elements {
			*(*[4]uint64)(to[i*4:]) = *(*[4]uint64)(unsafe.Add(memory, int(e)*32))
		}
	default:
		for i, e := range elements {
			copy(to[i*n:(i+1)*n], unsafe.Slice((*uint64)(unsafe.Add(memory, int(e)*n*8)), n))
		}
	}
}

// unpack copies rows to the storage.
func (r *packed) unpack(from []byte) error {
	if r.n == 0 {
		return nil
	}
	if r.elements != nil {
		return r.scatter(from)
	}
	copy(unsafe.Slice((*byte)(unsafe.Add(r.storage.Memory(), r.first*r.row)), len(from)), from)
	if m := r.storage.mirror; m != nil {
		return m.DevicePart(r.first, r.first+r.n)
	}
	return nil
}

// scatter copies rows to the elements of a list.
func (r *packed) scatter(from []byte) error {
	for i, e := range r.elements {
		one := packed{storage: r.storage, row: r.row, first: int(e), n: 1}
		if err := one.unpack(from[i*r.row : (i+1)*r.row]); err != nil {
			return err
		}
	}
	return nil
}

// Update brings the halo of a dat up to date. It is collective.
func (d *Data) Update() error {
	if d.set == nil || !d.set.distributed() {
		return nil
	}
	if err := d.rt.alike("the halo of "+d.name+" is brought up to date", []string{"it is " + d.haloState()}); err != nil {
		return err
	}
	if d.storage.valid >= len(d.set.spread.parts) {
		return nil
	}
	u, err := newUpdate(d.rt.Comm(), []outdated{{storage: d.storage, parts: d.set.spread.parts, row: d.dim * d.scalar.Size(),
		from: d.storage.valid, to: len(d.set.spread.parts)}})
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
	d.storage.valid = all
	return nil
}
