// Package exchange moves values between the storages of ranks: messages that bring halos up to date, from the host or a
// device, and reductions that end while the program goes on.
package exchange

import (
	"cmp"
	"slices"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/store"
)

// Stale is values of a storage that other ranks have newer ones of: those of the elements after
// one prefix of its set, up to another.
type Stale struct {
	Storage  *store.Storage
	Parts    []halo.Part
	Row      int // bytes of an element
	From, To int
	Through  *halo.Reach // only what loops reach through it; nil: all
}

// Update brings halos up to date, by one message to and from each neighbor: values from owners
// replace this rank's copies.
type Update struct {
	Exchange comm.Exchange
	Sends    messages
	Receives messages
	fetching bool          // the device gathers what is sent next
	Waited   time.Duration // for other ranks, in the last exchange
}

// messages are all messages to, or from, other ranks, in one piece of memory.
type messages struct {
	List   []message
	memory []byte
	Bytes  int64  // of the messages
	relay  *relay // on a device; otherwise nil
}

// message is rows of some storages, one after another.
type message struct {
	Rank int
	Data []byte
	Rows []messageRows
}

// messageRows are where rows of a message lie in a storage: at a list of elements, or at a run; and where
// they start in the memory of all messages.
type messageRows struct {
	storage  *store.Storage
	row      int
	elements []int32
	first, N int
	at       int
}

// updateTag is the tag of all updates: on all ranks they follow each other in the same order.
const updateTag = 1

// Link is the way of messages between the storages of ranks.
type Link struct {
	Comm      comm.Comm
	Device    backend.DeviceBackend // nil if all storages are on the host alone
	Transfers *device.Transfers
}

// NewUpdate prepares the update of some values. It does not communicate.
func NewUpdate(by Link, list []Stale) (*Update, error) { return prepare(by, listed(list)) }

// NewReverse prepares messages from the halo to the owners.
func NewReverse(by Link, o Stale) (*Update, error) {
	u := listed([]Stale{o})
	u.Sends, u.Receives = u.Receives, u.Sends
	sorting.By(u.Receives.List, func(a, b message) int { return cmp.Compare(a.Rank, b.Rank) })
	return prepare(by, u)
}

// listed lists the rows of the messages of an update: those with the largest values first, so that all
// are aligned.
func listed(list []Stale) *Update {
	sorting.By(list, func(a, b Stale) int { return cmp.Compare(b.Storage.Shape().Size, a.Storage.Shape().Size) })
	u := &Update{}
	for _, o := range list {
		for x := o.From; x < min(o.To, len(o.Parts)); x++ {
			for _, s := range o.Parts[x].Sends {
				u.Sends.add(s.Rank, messageRows{storage: o.Storage, row: o.Row, elements: s.Elements, N: len(s.Elements)})
			}
			for _, r := range o.Parts[x].Receives {
				u.Receives.add(r.Rank, messageRows{storage: o.Storage, row: o.Row, elements: r.Elements, first: r.First, N: r.Count})
			}
		}
	}
	return u
}

// prepare allocates the messages and prepares their exchange.
func prepare(by Link, u *Update) (*Update, error) {
	var err error
	u.Exchange, err = by.Comm.Prepare(u.Sends.allocate(), u.Receives.allocate())
	u.Sends.relay, u.Receives.relay = newRelay(by, &u.Sends), newRelay(by, &u.Receives)
	return u, err
}

// add adds rows to the message of a rank, which is added if there is none.
func (m *messages) add(rank int, rows messageRows) {
	i := slices.IndexFunc(m.List, func(m message) bool { return m.Rank == rank })
	if i < 0 {
		i = len(m.List)
		m.List = append(m.List, message{Rank: rank})
	}
	m.List[i].Rows = append(m.List[i].Rows, rows)
}

// allocate gives the messages memory.
func (m *messages) allocate() []comm.Message {
	n := 0
	for i := range m.List {
		n = (n + 7) &^ 7
		for j := range m.List[i].Rows {
			r := &m.List[i].Rows[j]
			r.at = n
			n += r.N * r.row
		}
	}
	m.memory = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8)))), n)
	all := make([]comm.Message, len(m.List))
	for i := range m.List {
		first, last := m.List[i].Rows[0], m.List[i].Rows[len(m.List[i].Rows)-1]
		m.List[i].Data = m.memory[first.at : last.at+last.N*last.row]
		all[i] = comm.Message{Rank: m.List[i].Rank, Tag: updateTag, Data: m.List[i].Data}
		m.Bytes += int64(len(m.List[i].Data))
	}
	return all
}

// Start starts to send the owned values. Where the device has to gather them, only that is queued, so
// that the device has more to do while the host waits in send. Neighbors have usually received the
// previous message, of a pass through the program ago.
func (u *Update) Start() error {
	err := u.Exchange.Wait()
	if err != nil {
		return err
	}
	if u.fetching, err = u.Sends.relay.start(); u.fetching || err != nil {
		return err
	}
	return u.pack()
}

// Send sends the values that the device has gathered, if Start did not.
func (u *Update) Send() error {
	if !u.fetching {
		return nil
	}
	u.fetching = false
	if err := u.Sends.relay.finish(); err != nil {
		return err
	}
	return u.pack()
}

// pack packs the values that the host has, and sends all.
func (u *Update) pack() error {
	for _, m := range u.Sends.List {
		for i := range m.Rows {
			if r := &m.Rows[i]; !u.Sends.relay.gathered(r.storage) {
				r.pack(u.Sends.memory[r.at:][:r.N*r.row])
			}
		}
	}
	return u.Exchange.Start()
}

// Finish waits for the values of others. It does not wait until they have received those of this rank:
// one that is ahead goes on.
func (u *Update) Finish() error {
	if err := u.Send(); err != nil {
		return err
	}
	start := time.Now()
	err := u.Exchange.Receive()
	u.Waited = time.Since(start)
	if err != nil {
		return err
	}
	for _, m := range u.Receives.List {
		for i := range m.Rows {
			if r := &m.Rows[i]; r.storage.HostValid() {
				r.unpack(u.Receives.memory[r.at:][:r.N*r.row])
			}
		}
	}
	return u.Receives.relay.scatter()
}

// Element returns the element of row i.
func (r *messageRows) Element(i int) int {
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
	if r.N == 0 {
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

// EachRow calls f for each row of a message and its place in the storage.
func (m *message) EachRow(f func(row []byte, at unsafe.Pointer)) {
	at := 0
	for _, r := range m.Rows {
		for i := range r.N {
			f(m.Data[at:at+r.row], unsafe.Add(r.storage.Memory(), r.Element(i)*r.row))
			at += r.row
		}
	}
}
