package core

import (
	"cmp"
	"slices"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/halo"
)

// stale is values of a storage that other ranks have newer ones of: those of the elements after
// one prefix of its set, up to another.
type stale struct {
	storage  *Storage
	parts    []halo.Part
	row      int // bytes of an element
	from, to int
	through  *halo.Reach // only what loops reach through it; nil: all
}

// update brings halos up to date, by one message to and from each neighbor: what comes from owners
// replaces what this rank has.
type update struct {
	exchange comm.Exchange
	sends    messages
	receives messages
	fetching bool          // the device gathers what is sent next
	waited   time.Duration // for other ranks, in the last exchange
}

// messages are all messages to, or from, other ranks, in one piece of memory.
type messages struct {
	list   []message
	memory []byte
	bytes  int64  // of the messages
	relay  *relay // on a device; otherwise nil
}

// message is rows of some storages, one after another.
type message struct {
	rank int
	data []byte
	rows []messageRows
}

// messageRows are where rows of a message lie in a storage: at a list of elements, or at a run; and where
// they start in the memory of all messages.
type messageRows struct {
	storage  *Storage
	row      int
	elements []int32
	first, n int
	at       int
}

// updateTag is the tag of all updates: on all ranks they follow each other in the same order.
const updateTag = 1

// Link is what messages between the storages of ranks go through.
type Link struct {
	Comm      comm.Comm
	Device    backend.DeviceBackend // nil if all storages are on the host alone
	Transfers *device.Transfers
}

// newUpdate prepares the update of some values. It does not communicate.
func newUpdate(by Link, list []stale) (*update, error) { return prepare(by, listed(list)) }

// newReverse prepares messages from the halo to the owners.
func newReverse(by Link, o stale) (*update, error) {
	u := listed([]stale{o})
	u.sends, u.receives = u.receives, u.sends
	slices.SortFunc(u.receives.list, func(a, b message) int { return cmp.Compare(a.rank, b.rank) })
	return prepare(by, u)
}

// listed lists the rows of the messages of an update: those with the largest values first, so that all
// are aligned.
func listed(list []stale) *update {
	slices.SortStableFunc(list, func(a, b stale) int { return cmp.Compare(b.storage.Shape().Size, a.storage.Shape().Size) })
	u := &update{}
	for _, o := range list {
		for x := o.from; x < min(o.to, len(o.parts)); x++ {
			for _, s := range o.parts[x].Sends {
				u.sends.add(s.Rank, messageRows{storage: o.storage, row: o.row, elements: s.Elements, n: len(s.Elements)})
			}
			for _, r := range o.parts[x].Receives {
				u.receives.add(r.Rank, messageRows{storage: o.storage, row: o.row, elements: r.Elements, first: r.First, n: r.Count})
			}
		}
	}
	return u
}

// prepare allocates the messages and prepares their exchange.
func prepare(by Link, u *update) (*update, error) {
	var err error
	u.exchange, err = by.Comm.Prepare(u.sends.allocate(), u.receives.allocate())
	u.sends.relay, u.receives.relay = newRelay(by, &u.sends), newRelay(by, &u.receives)
	return u, err
}

// add adds rows to the message of a rank, which is added if there is none.
func (m *messages) add(rank int, rows messageRows) {
	i := slices.IndexFunc(m.list, func(m message) bool { return m.rank == rank })
	if i < 0 {
		i = len(m.list)
		m.list = append(m.list, message{rank: rank})
	}
	m.list[i].rows = append(m.list[i].rows, rows)
}

// allocate gives the messages memory.
func (m *messages) allocate() []comm.Message {
	n := 0
	for i := range m.list {
		n = (n + 7) &^ 7
		for j := range m.list[i].rows {
			r := &m.list[i].rows[j]
			r.at = n
			n += r.n * r.row
		}
	}
	m.memory = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8)))), n)
	all := make([]comm.Message, len(m.list))
	for i := range m.list {
		first, last := m.list[i].rows[0], m.list[i].rows[len(m.list[i].rows)-1]
		m.list[i].data = m.memory[first.at : last.at+last.n*last.row]
		all[i] = comm.Message{Rank: m.list[i].rank, Tag: updateTag, Data: m.list[i].data}
		m.bytes += int64(len(m.list[i].data))
	}
	return all
}

// start starts to send what this rank owns. Where the device has to gather it, only that is queued, so
// that the device has more to do while the host waits in send. Neighbors have usually received what was
// sent last, a pass through the program ago.
func (u *update) start() error {
	err := u.exchange.Wait()
	if err != nil {
		return err
	}
	if u.fetching, err = u.sends.relay.start(); u.fetching || err != nil {
		return err
	}
	return u.pack()
}

// send sends what the device has gathered, if start did not send it.
func (u *update) send() error {
	if !u.fetching {
		return nil
	}
	u.fetching = false
	if err := u.sends.relay.finish(); err != nil {
		return err
	}
	return u.pack()
}

// pack packs what the host has, and sends all.
func (u *update) pack() error {
	for _, m := range u.sends.list {
		for i := range m.rows {
			if r := &m.rows[i]; !u.sends.relay.gathered(r.storage) {
				r.pack(u.sends.memory[r.at:][:r.n*r.row])
			}
		}
	}
	return u.exchange.Start()
}

// finish waits for what others own. It does not wait until they have received what this rank owns: one
// that is ahead goes on.
func (u *update) finish() error {
	if err := u.send(); err != nil {
		return err
	}
	start := time.Now()
	err := u.exchange.Receive()
	u.waited = time.Since(start)
	if err != nil {
		return err
	}
	for _, m := range u.receives.list {
		for i := range m.rows {
			if r := &m.rows[i]; r.storage.hostValid() {
				r.unpack(u.receives.memory[r.at:][:r.n*r.row])
			}
		}
	}
	return u.receives.relay.scatter()
}

// element returns the element of row i.
func (r *messageRows) element(i int) int {
	if r.elements != nil {
		return int(r.elements[i])
	}
	return r.first + i
}

// pack copies rows from the host's memory of the storage.
func (r *messageRows) pack(to []byte) {
	if len(r.elements) == 0 {
		return
	}
	memory := r.storage.Memory()
	if r.row%8 == 0 {
		gather(unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(to))), len(to)/8), memory, r.elements, r.row/8)
		return
	}
	from := unsafe.Slice((*byte)(memory), r.storage.Bytes())
	for i, e := range r.elements {
		copy(to[i*r.row:(i+1)*r.row], from[int(e)*r.row:])
	}
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

// unpack copies rows to the host's memory of the storage.
func (r *messageRows) unpack(from []byte) {
	if r.n == 0 {
		return
	}
	to := unsafe.Slice((*byte)(r.storage.Memory()), r.storage.Bytes())
	if r.elements == nil {
		copy(to[r.first*r.row:], from)
		return
	}
	for i, e := range r.elements {
		copy(to[int(e)*r.row:][:r.row], from[i*r.row:])
	}
}

// eachRow calls f for each row of a message and its place in the storage.
func (m *message) eachRow(f func(row []byte, at unsafe.Pointer)) {
	at := 0
	for _, r := range m.rows {
		for i := range r.n {
			f(m.data[at:at+r.row], unsafe.Add(r.storage.Memory(), r.element(i)*r.row))
			at += r.row
		}
	}
}
