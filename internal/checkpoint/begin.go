package checkpoint

import (
	"errors"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/store"
)

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

// save saves an entry that has waited for its first use, before that.
func (f *flight) save(e *entry) {
	f.handRows(slices.IndexFunc(f.entries, func(c candidate) bool { return c.entry == e }))
	f.wait()
}

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
