package checkpoint

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/store"
)

// flight is a checkpoint under way: a goroutine writes what the program has handed over. Its nil form is none.
type flight struct {
	rt      *entity.Runtime
	to      snapshot.Folder
	number  int
	index   *snapshot.Index
	entries []candidate // by the index's data
	sets    []*entity.Set
	kept    []block // beside matrices
	saved   []bool  // by the index's data
	watches bool    // until the next place
	copies  bool    // the program need not wait until values are written
	refused string  // why the checkpoint cannot count
	err     error   // of this rank, before it writes
	began   time.Time

	blocks chan block
	free   chan []byte   // copies that have been written
	ended  chan struct{} // is closed after the last block
	sealed bool          // blocks is closed
	part   snapshot.Part // once it has ended
	failed error

	pruned chan error // on rank 0, once it counts: those that it replaces are gone
}

// block is a block of the file, or a piece of one, or, with a channel, a question whether all before it are written.
type block struct {
	name    string
	bytes   []byte
	copied  bool
	written chan struct{}
}

// piece is the number of bytes that are copied at a time: a core's cache has them still when they are written.
const piece = 1 << 20

// begin begins the checkpoint of a place that rank 0 has decided, given the memory that the machine has left. It is
// collective.
func begin(rt *entity.Runtime, to snapshot.Folder, d decision, index *snapshot.Index, all []candidate, values []value, memory int64) (*flight, error) {
	f := &flight{rt: rt, to: to, number: d.Number, index: index, watches: true, began: time.Now()}
	var globals []candidate
	for _, one := range d.Entries {
		c := all[slices.IndexFunc(all, func(c candidate) bool { return c.Serial == one.Serial })]
		if c.data.Kind() == loop.Global {
			globals = append(globals, c)
			continue
		}
		f.add(c, one)
	}
	if err := rt.Agree(f.handKept()); err != nil {
		return nil, err
	}
	var err error
	if f.index.Values, err = collect(rt, values, globals); err != nil {
		return nil, err
	}
	f.blocks = make(chan block, f.bytes()/piece+3*len(f.entries)+len(f.sets)+len(f.kept)+1)
	f.free, f.ended = make(chan []byte, 16), make(chan struct{})
	w, err := to.Create(f.number, rt.Rank(), int64(f.bytes()))
	if err != nil {
		f.err = err
	}
	go f.write(w)
	f.start(memory)
	return f, nil
}

// add adds an entry to the index.
func (f *flight) add(c candidate, one decided) {
	datum := snapshot.Datum{Name: c.Name, Nth: c.Nth, State: one.State}
	c.deferred = one.Later
	if one.State == snapshot.Saved {
		datum.Row = c.data.Width() * c.data.Scalar().Size()
		if c.data.Kind() == loop.Mat {
			datum.Row = blockBytes(c.data)
		}
		datum.Set = f.place(c.data.Set())
	}
	f.index.Data = append(f.index.Data, datum)
	f.entries, f.saved = append(f.entries, c), append(f.saved, false)
}

// place returns the place of a set among those of the index.
func (f *flight) place(s *entity.Set) int {
	at := slices.Index(f.sets, s)
	if at < 0 {
		at = len(f.sets)
		f.sets = append(f.sets, s)
		f.index.Sets = append(f.index.Sets, snapshot.Set{Name: s.Name(), Size: s.Whole()})
	}
	return at
}

// start hands over all that does not wait for its first use.
func (f *flight) start(memory int64) {
	most := memory / int64(f.rt.Ranks())
	f.copies = int64(f.bytes()) < most/2 && int64(f.bytes()) > most/atOnce
	for i, s := range f.sets {
		f.hand(numbersOf(s, f.rows(s), i))
	}
	for _, b := range f.kept {
		f.hand(b)
	}
	f.kept = nil
	waiting := false
	for i, c := range f.entries {
		switch {
		case f.index.Data[i].State != snapshot.Saved:
		case c.deferred:
			waiting = true
		default:
			f.handRows(i)
		}
	}
	f.wait()
	if !waiting {
		f.seal()
	}
}

// atOnce is the share of memory up to which the system takes what is written at once, and brings it to the disk later: then a
// copy costs as much as the writing. Beyond, those who write wait for the disk: on Linux, when 15 % of the memory are to be written.
const atOnce = 10

// bytes returns the number of bytes of rows that this rank may save.
func (f *flight) bytes() (n int) {
	for i, c := range f.entries {
		if f.index.Data[i].State == snapshot.Saved {
			n += f.units(c.data) * f.index.Data[i].Row
		}
	}
	return n
}

// rows returns the number of rows of a set that this rank saves.
func (f *flight) rows(s *entity.Set) int {
	if !s.Among() && f.rt.Rank() != 0 { // which has the same
		return 0
	}
	return s.Size()
}

// units returns the number of rows of a dat, or of blocks of a matrix, that this rank saves.
func (f *flight) units(d *entity.Data) int {
	n := f.rows(d.Set())
	if n > 0 && d.Kind() == loop.Mat {
		return d.Sparsity().Owned().Nonzeros()
	}
	return n
}

// numbersOf returns the block of the declared numbers of the first n elements of a set: all of them, or where they
// begin if each is the one after the last.
func numbersOf(s *entity.Set, n, i int) block {
	run := []int64{0, int64(n)}
	if n > 0 {
		run[0] = s.NumberHere(0)
	}
	for j := range n {
		if s.NumberHere(j) != run[0]+int64(j) {
			return block{name: numbersName(i), bytes: store.Bytes(s.Numbers()[:n:n])}
		}
	}
	return block{name: runName(i), bytes: store.Bytes(run)}
}

// handRows hands over the rows of the i-th dat.
func (f *flight) handRows(i int) {
	d := f.entries[i].data
	if err := d.Bring(false); err != nil {
		f.err = errors.Join(f.err, err)
		return
	}
	f.saved[i] = true
	if d.Kind() == loop.Mat {
		f.handMat(i)
		return
	}
	f.handBytes(rowsName(i), d.Bytes()[:f.units(d)*f.index.Data[i].Row])
}

// handBytes hands over values that lie one after another.
func (f *flight) handBytes(name string, rows []byte) {
	if !f.copies {
		f.hand(block{name: name, bytes: rows})
		return
	}
	for more := true; more; more = len(rows) > 0 {
		n := min(piece, len(rows))
		f.hand(block{name: name, bytes: append(f.room(), rows[:n]...), copied: true})
		rows = rows[n:]
	}
}

// room returns memory for a copy: that of one which has been written, if there is one.
func (f *flight) room() []byte {
	select {
	case written := <-f.free:
		return written[:0]
	default:
		return nil
	}
}

func (f *flight) hand(b block) { f.blocks <- b }

// save saves an entry that has waited for its first use, before that.
func (f *flight) save(e *entry) {
	f.handRows(slices.IndexFunc(f.entries, func(c candidate) bool { return c.entry == e }))
	f.wait()
}

// wait waits until what has been handed over is written, unless that is copies.
func (f *flight) wait() {
	if f.copies {
		return
	}
	written := make(chan struct{})
	f.hand(block{written: written})
	<-written
}

// refuse says why the checkpoint cannot count.
func (f *flight) refuse(why string) { f.refused = cmp.Or(f.refused, why) }

// complete hands over what has not been used since the checkpoint's place, as the program is at the next one. It does
// nothing later.
func (f *flight) complete() {
	if f == nil || f.sealed {
		return
	}
	for i, c := range f.entries {
		if c.deferred {
			c.deferred = false
			f.handRows(i)
		}
	}
	f.wait()
	f.seal()
}

func (f *flight) seal() {
	if !f.sealed {
		close(f.blocks)
		f.sealed = true
	}
}

// writing reports whether the disk does not have all yet.
func (f *flight) writing() bool {
	if f == nil {
		return false
	}
	f.watches = false
	select {
	case <-f.ended:
		return false
	default:
		return true
	}
}

// name returns the name of the checkpoint.
func (f *flight) name() string { return f.to.Name(f.number) }

// write writes the blocks. W is nil if there is no file.
func (f *flight) write(w *snapshot.Writer) {
	defer close(f.ended)
	for b := range f.blocks {
		if b.written != nil {
			close(b.written)
		} else if w != nil && f.failed == nil {
			f.failed = w.Write(b.name, b.bytes)
		}
		if b.copied {
			select {
			case f.free <- b.bytes:
			default:
			}
		}
	}
	if w == nil {
		return
	}
	if f.failed == nil {
		f.part, f.failed = w.Close()
	}
	if f.failed != nil {
		w.Discard()
	}
}
