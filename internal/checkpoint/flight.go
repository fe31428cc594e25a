package checkpoint

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/snapshot"
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
