package rankfile

import (
	"encoding/json"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
)

// Ask does something with the file on the ranks that have opened it, and returns the outcome on all.
func Ask[T any](f *File, do func(file *hdf5.File) (T, error)) (answer T, err error) {
	if f.file != nil {
		answer, err = do(f.file)
	}
	if err = f.agree(err); err != nil || f.every {
		return answer, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return answer, err
	}
	said, _, err := f.rt.Tell(f.file != nil, string(text))
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal([]byte(said), &answer)
}

// Act is Ask for what has no outcome.
func (f *File) Act(do func(file *hdf5.File) error) error {
	type nothing struct{}
	_, err := Ask(f, func(file *hdf5.File) (nothing, error) { return nothing{}, do(file) })
	return err
}

// All returns the rows of ranks that read all n.
func (f *File) All(n int64) []hdf5.Rows {
	r := make([]hdf5.Rows, f.ranks())
	for i := range r {
		r[i].Count = uint64(n)
	}
	return r
}

// First returns the rows of ranks of which rank 0 writes all n.
func (f *File) First(n int64) []hdf5.Rows {
	r := make([]hdf5.Rows, f.ranks())
	r[0].Count = uint64(n)
	return r
}

// Between returns the rows of ranks that have those from one offset to the next.
func Between(offsets []int64) []hdf5.Rows {
	r := make([]hdf5.Rows, len(offsets)-1)
	for i := range r {
		r[i] = hdf5.Rows{First: uint64(offsets[i]), Count: uint64(offsets[i+1] - offsets[i])}
	}
	return r
}

// Section is what the ranks read or write of a dataset.
type Section struct {
	Path string
	Of   *loop.Layout
	Each int         // bytes of a row in memory
	Rows []hdf5.Rows // of each rank
}

// Here returns the bytes of this rank's rows.
func (s *Section) Here(f *File) int { return int(s.Rows[f.rank()].Count) * s.Each }

// piece is some rows of a rank, and where they are in its memory.
type piece struct {
	rows     hdf5.Rows
	from, to int
}

// pieces cuts the rows of a rank into pieces of at most so many bytes.
func (s *Section) pieces(rank, most int) (pieces []piece) {
	own, step := s.Rows[rank], uint64(max(most/max(s.Each, 1), 1))
	for from := uint64(0); from < own.Count; from += step {
		n := min(step, own.Count-from)
		pieces = append(pieces, piece{hdf5.Rows{First: own.First + from, Count: n}, int(from) * s.Each, int(from+n) * s.Each})
	}
	return pieces
}

// Bytes that move in one transfer: of MPI, which counts in 32 bits, and through rank 0, which has room for so many.
const (
	mostTogether = 1 << 30
	mostThrough  = 64 << 20
)

// transfer is one of reading and writing.
type transfer func(file *hdf5.File, path string, of *loop.Layout, rows hdf5.Rows, memory []byte) error

// Read fills memory with the rows of this rank.
func (f *File) Read(s Section, memory []byte) error {
	if f.every {
		return f.together((*hdf5.File).Read, s, memory)
	}
	return f.through(s, memory, func(p piece, rank int, memory []byte) error {
		failed := f.onRoot((*hdf5.File).Read, s, p, memory) // the ranks go on, so that none waits
		if err := f.pass(0, rank, memory); err != nil {
			return err
		}
		return failed
	})
}

// Write writes the rows of this rank.
func (f *File) Write(s Section, memory []byte) error {
	if f.shared {
		if err := f.agree(f.room(s)); err != nil {
			return err
		}
	}
	if f.every {
		return f.together((*hdf5.File).Write, s, memory)
	}
	return f.through(s, memory, func(p piece, rank int, memory []byte) error {
		if err := f.pass(rank, 0, memory); err != nil {
			return err
		}
		return f.onRoot((*hdf5.File).Write, s, p, memory)
	})
}

// room returns an error on rank 0 if the disk lacks room for rows, before they are compressed. Where ranks write together, one that
// found that out while they do would leave the others waiting within MPI, without end.
func (f *File) room(s Section) error {
	const rest = 1 << 20 // for what the library keeps about the rows
	bytes := uint64(rest)
	for _, r := range s.Rows {
		bytes += r.Count * uint64(s.Each)
	}
	if f.rank() != 0 {
		return nil
	}
	return room(f.path, bytes)
}

// together transfers the rows of all ranks, each its own: of a file that they have opened together in as many pieces as
// the rank with most rows needs, some of them empty on others.
func (f *File) together(do transfer, s Section, memory []byte) (err error) {
	pieces := s.pieces(f.rank(), mostTogether)
	if f.shared {
		for rank := range s.Rows {
			for n := len(s.pieces(rank, mostTogether)); len(pieces) < max(n, 1); {
				pieces = append(pieces, piece{})
			}
		}
	}
	for _, p := range pieces {
		if failed := do(f.file, s.Path, s.Of, p.rows, memory[p.from:p.to]); err == nil {
			err = failed
		}
	}
	return f.agree(err)
}

// through moves the rows of all ranks, one after the other, through rank 0, piece by piece: do gets the memory of a piece,
// on the rank that has it and on rank 0.
func (f *File) through(s Section, memory []byte, do func(p piece, rank int, memory []byte) error) (err error) {
	me := f.rank()
	var room []byte // of rank 0 for the rows of others
	for rank := range s.Rows {
		for _, p := range s.pieces(rank, mostThrough) {
			if me != rank && me != 0 {
				continue
			}
			own := memory[min(p.from, len(memory)):min(p.to, len(memory))]
			if me != rank {
				room = slices.Grow(room[:0], p.to-p.from)
				own = room[:p.to-p.from]
			}
			if failed := do(p, rank, own); err == nil {
				err = failed
			}
		}
	}
	return f.agree(err)
}

// onRoot does a transfer on rank 0.
func (f *File) onRoot(do transfer, s Section, p piece, memory []byte) error {
	if f.file == nil {
		return nil
	}
	return do(f.file, s.Path, s.Of, p.rows, memory)
}

// pass sends memory from one rank to another, if they differ.
func (f *File) pass(from, to int, memory []byte) error {
	var sends, receives []comm.Message
	switch me := f.rank(); {
	case from == to:
	case me == from:
		sends = []comm.Message{{Rank: to, Tag: comm.MaxTag, Data: memory}}
	case me == to:
		receives = []comm.Message{{Rank: from, Tag: comm.MaxTag, Data: memory}}
	}
	return comm.Once(f.rt.Comm(), sends, receives)
}
