package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/store"
)

// flight is a checkpoint under way: a goroutine writes what the program has handed over. Its nil form is none.
type flight struct {
	k       *keeper
	to      snapshot.Folder
	number  int
	index   *snapshot.Index
	entries []candidate // by the index's data
	sets    []*entity.Set
	saved   []bool // by the index's data
	watches bool   // until the next place
	copies  bool   // there is memory for copies, so that the program need not wait for the disk
	refused string // why the checkpoint cannot count
	err     error  // of this rank, before it writes
	began   time.Time

	blocks chan block
	ended  chan struct{} // is closed after the last block
	sealed bool          // blocks is closed
	part   snapshot.Part // once it has ended
	failed error
}

// block is a part of the file, or, with a channel, a question whether all before it are written.
type block struct {
	name    string
	bytes   []byte
	written chan struct{}
}

// begin begins a checkpoint, which has all that is there if it ends the run. It is collective.
func (k *keeper) begin(to snapshot.Folder, place int, ends bool) error {
	if k.changes != k.rt.MapChanges() {
		return entity.OnAll(errors.New("op2: Checkpoint: values of maps have changed since the first Checkpoint, and checkpoints have no maps"))
	}
	all := k.candidates()
	d, err := k.decide(to, all, ends)
	if err != nil {
		return k.failed(to, err)
	}
	f := &flight{k: k, to: to, number: d.Number, index: &snapshot.Index{Place: place, Names: names(k.rt)}, watches: true, began: time.Now()}
	k.begun = f.began
	var globals []candidate
	for _, one := range d.Entries {
		c := all[slices.IndexFunc(all, func(c candidate) bool { return c.Serial == one.Serial })]
		if c.data.Kind() == loop.Global {
			globals = append(globals, c)
			continue
		}
		f.add(c, one)
	}
	if f.index.Values, err = k.collect(globals); err != nil {
		return err
	}
	f.blocks, f.ended = make(chan block, 2*len(f.entries)+len(f.sets)+1), make(chan struct{})
	w, err := to.Create(f.number, k.rt.Rank())
	if err != nil {
		f.err = err
	}
	go f.write(w)
	k.flight = f
	f.start()
	return nil
}

// add adds an entry to the index.
func (f *flight) add(c candidate, one decided) {
	datum := snapshot.Datum{Name: c.Name, Nth: c.Nth, State: one.State}
	c.deferred = one.Later
	if one.State == snapshot.Saved {
		datum.Row = c.data.Width() * c.data.Scalar().Size()
		if datum.Set = slices.Index(f.sets, c.data.Set()); datum.Set < 0 {
			datum.Set = len(f.sets)
			f.sets = append(f.sets, c.data.Set())
			f.index.Sets = append(f.index.Sets, snapshot.Set{Name: c.data.Set().Name(), Size: c.data.Set().Whole()})
		}
	}
	f.index.Data = append(f.index.Data, datum)
	f.entries, f.saved = append(f.entries, c), append(f.saved, false)
}

// start hands over all that does not wait for its first use.
func (f *flight) start() {
	bytes := int64(0)
	for i, c := range f.entries {
		if f.index.Data[i].State == snapshot.Saved {
			bytes += int64(f.rows(c.data.Set()) * f.index.Data[i].Row)
		}
	}
	f.copies = bytes < f.k.memory()/int64(2*f.k.rt.Ranks())
	for i, s := range f.sets {
		f.hand(numbersOf(s, f.rows(s), i))
	}
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
	if !waiting {
		f.seal()
	}
	f.wait()
}

// rows returns the number of rows of a set that this rank saves.
func (f *flight) rows(s *entity.Set) int {
	if !s.Among() && f.k.rt.Rank() != 0 { // which has the same
		return 0
	}
	return s.Size()
}

// numbersOf returns the block of the declared numbers of the first n elements of a set: all of them, or where they
// begin if each is the one after the last.
func numbersOf(s *entity.Set, n, i int) block {
	numbers := s.Numbers()[:n:n]
	for j := range numbers {
		if numbers[j] != numbers[0]+int64(j) {
			return block{name: numbersName(i), bytes: store.Bytes(numbers)}
		}
	}
	run := []int64{0, int64(n)}
	if n > 0 {
		run[0] = numbers[0]
	}
	return block{name: runName(i), bytes: store.Bytes(run)}
}

func numbersName(set int) string { return fmt.Sprintf("numbers of set %d", set) }
func runName(set int) string     { return fmt.Sprintf("run of set %d", set) }
func rowsName(datum int) string  { return fmt.Sprintf("rows of dat %d", datum) }

// handRows hands over the rows of the i-th dat.
func (f *flight) handRows(i int) {
	d := f.entries[i].data
	if err := d.Bring(false); err != nil {
		f.err = errors.Join(f.err, err)
		return
	}
	rows := d.Bytes()[:f.rows(d.Set())*f.index.Data[i].Row]
	if f.copies {
		rows = slices.Clone(rows)
	}
	f.hand(block{name: rowsName(i), bytes: rows})
	f.saved[i] = true
}

func (f *flight) hand(b block) { f.blocks <- b }

// save saves an entry that has waited for its first use, before that.
func (f *flight) save(e *entry) error {
	i := slices.IndexFunc(f.entries, func(c candidate) bool { return c.entry == e })
	f.handRows(i)
	f.wait()
	return nil
}

// wait waits until what has been handed over is written, unless that is copies.
func (f *flight) wait() {
	if f.copies {
		return
	}
	if f.sealed {
		<-f.ended
		return
	}
	written := make(chan struct{})
	f.hand(block{written: written})
	<-written
}

// refuse says why the checkpoint cannot count.
func (f *flight) refuse(why string) {
	if f.refused == "" {
		f.refused = why
	}
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
	f.seal()
	f.wait()
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
func (f *flight) write(w snapshot.Writer) {
	defer close(f.ended)
	for b := range f.blocks {
		if b.written != nil {
			close(b.written)
		} else if w != nil && f.failed == nil {
			f.failed = w.Write(b.name, b.bytes)
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

// landed is what a rank says of its part.
type landed struct {
	Part    snapshot.Part
	Saved   []bool
	Error   string
	Refused string
}

// land ends the checkpoint under way, if now is the time: it counts if all ranks have written their parts. It is
// collective.
func (k *keeper) land(now bool) error {
	f := k.flight
	if f == nil || !now {
		return nil
	}
	<-f.ended
	k.flight = nil
	own := landed{Part: f.part, Saved: f.saved, Refused: f.refused}
	if err := cmp.Or(f.err, f.failed); err != nil {
		own.Error = err.Error()
	}
	ranks, err := comm.Collect(k.rt.Comm(), own)
	if err != nil {
		return k.rt.Broken(err)
	}
	var text []byte
	if k.rt.Rank() == 0 {
		if err := f.commit(ranks); err != nil {
			text = []byte(err.Error())
		}
	}
	if text, err = comm.Spread(k.rt.Comm(), 0, text); err != nil {
		return k.rt.Broken(err)
	}
	if len(text) > 0 {
		return k.failed(f.to, errors.New(string(text)))
	}
	return nil
}

// failed returns the error of a checkpoint that all ranks return.
func (k *keeper) failed(to snapshot.Folder, err error) error {
	return entity.OnAll(problem.Errorf("op2: checkpoint in %s: %w", string(to), err))
}

// commit makes the checkpoint count, from what the ranks say of their parts, or removes it.
func (f *flight) commit(ranks []landed) error {
	err := f.combine(ranks)
	if err == nil {
		err = f.to.Commit(f.number, f.index)
	}
	if err != nil {
		return errors.Join(err, f.to.Remove(f.number))
	}
	if c := f.k.rt.Config(); c.Figures {
		bytes := int64(0)
		for _, p := range f.index.Parts {
			bytes += p.Bytes
		}
		c.Say(fmt.Sprintf("checkpoint %s: %s in %v", f.name(), problem.Count(int(bytes), "byte"), time.Since(f.began).Round(time.Millisecond)))
	}
	return nil
}

// combine completes the index. The error says why the checkpoint cannot count.
func (f *flight) combine(ranks []landed) error {
	for rank, l := range ranks {
		switch {
		case l.Error != "" && len(ranks) > 1:
			return fmt.Errorf("rank %d: %s", rank, l.Error)
		case l.Error != "":
			return errors.New(l.Error)
		case l.Refused != "":
			return errors.New(l.Refused)
		}
		f.index.Parts = append(f.index.Parts, l.Part)
	}
	for i := range f.index.Data {
		d := &f.index.Data[i]
		saved := 0
		for _, l := range ranks {
			if l.Saved[i] {
				saved++
			}
		}
		switch {
		case d.State != snapshot.Saved:
		case saved == 0:
			d.State = snapshot.Unneeded
		case saved < len(ranks):
			return fmt.Errorf("some ranks read values of %s, which others had replaced: all ranks use data alike, or the next checkpoint has it", d.Name)
		}
	}
	return nil
}
