package snapshot

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// A part is its blocks, one after another, then their table, and an end of fixed size: the bytes of the table, and the
// magic.

const (
	magic   = "op2part\n"
	endSize = 8 + len(magic)
	// chunk is how much is written, or read to be compared, at a time.
	chunk = 1 << 20
)

func (f Folder) part(number, rank int) string {
	return filepath.Join(f.Name(number), fmt.Sprintf("part-%05d", rank))
}

// Create begins the part of a rank, whose blocks will have about that many bytes.
func (f Folder) Create(number, rank int, bytes int64) (*Writer, error) {
	file, err := os.OpenFile(f.part(number, rank), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	if bytes > 0 {
		reserve(file, bytes)
	}
	return &Writer{file: file, reserved: bytes, blocks: table{}}, nil
}

// Writer writes the part of a rank.
type Writer struct {
	file     *os.File
	reserved int64
	at       int64
	blocks   table
}

// Write adds a block, or adds to the last one if that has the same name.
func (w *Writer) Write(name string, data []byte) error {
	b, is := w.blocks[name]
	if !is {
		b.At = w.at
	}
	for part := range slices.Chunk(data, chunk) { // which stays in the cache
		b.Sum = crc32.Update(b.Sum, castagnoli, part)
		if _, err := w.file.Write(part); err != nil {
			return err
		}
		beginWrite(w.file, w.at, len(part))
		w.at += int64(len(part))
	}
	b.Bytes = w.at - b.At
	w.blocks[name] = b
	return nil
}

// Close returns when all blocks are on the disk.
func (w *Writer) Close() (Part, error) {
	text, err := json.Marshal(w.blocks)
	if err != nil {
		return Part{}, err
	}
	p := Part{w.at + int64(len(text)+endSize), sum(text)}
	end := binary.LittleEndian.AppendUint64(text, uint64(len(text)))
	if _, err := w.file.Write(append(end, magic...)); err != nil {
		return p, err
	}
	if p.Bytes < w.reserved { // the rest of the room is given back
		if err := w.file.Truncate(p.Bytes); err != nil {
			return p, err
		}
	}
	return p, errors.Join(w.file.Sync(), w.file.Close())
}

// Discard removes the part.
func (w *Writer) Discard() {
	w.file.Close() // an error if it is already closed, which is fine
	os.Remove(w.file.Name())
}

// Reader reads the part of a rank.
type Reader struct {
	file   *os.File
	blocks table
}

// Open opens a part, which must be what the index says.
func (f Folder) Open(number, rank int, p Part) (*Reader, error) {
	file, err := os.Open(f.part(number, rank))
	if err != nil {
		return nil, err
	}
	r := &Reader{file: file}
	if r.blocks, err = readTable(file, p); err != nil {
		return nil, errors.Join(fmt.Errorf("%s %w", file.Name(), err), file.Close())
	}
	return r, nil
}

// readTable returns the table of a part. An error follows the file's name.
func readTable(file *os.File, p Part) (table, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != p.Bytes {
		return nil, fmt.Errorf("has %d bytes, the index says %d", info.Size(), p.Bytes)
	}
	end := make([]byte, endSize)
	if _, err := file.ReadAt(end, p.Bytes-int64(endSize)); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(end)
	if string(end[8:]) != magic || n > uint64(p.Bytes)-uint64(endSize) {
		return nil, errors.New("is damaged at its end")
	}
	text := make([]byte, n)
	if _, err := file.ReadAt(text, p.Bytes-int64(endSize)-int64(n)); err != nil {
		return nil, err
	}
	if found := sum(text); found != p.Sum {
		return nil, fmt.Errorf("is damaged: the check sum of its table is %08x, the index says %08x", found, p.Sum)
	}
	var t table
	return t, json.Unmarshal(text, &t)
}

// Size returns the bytes of a block; -1 if there is none of that name.
func (r *Reader) Size(name string) int64 {
	if b, is := r.blocks[name]; is {
		return b.Bytes
	}
	return -1
}

// Read fills data with a block, of that size.
func (r *Reader) Read(name string, data []byte) error {
	b, is := r.blocks[name]
	switch {
	case !is:
		return fmt.Errorf("%s lacks %s", r.file.Name(), name)
	case b.Bytes != int64(len(data)):
		return fmt.Errorf("%s has %d bytes of %s, %d are needed", r.file.Name(), b.Bytes, name, len(data))
	}
	if _, err := r.file.ReadAt(data, b.At); err != nil {
		return err
	}
	if found := sum(data); found != b.Sum {
		return r.damaged(name, found, b)
	}
	return nil
}

func (r *Reader) damaged(name string, found uint32, b block) error {
	return fmt.Errorf("%s is damaged: the check sum of %s is %08x, its table says %08x", r.file.Name(), name, found, b.Sum)
}

// Verify compares all blocks with their check sums.
func (r *Reader) Verify() error {
	buffer := make([]byte, chunk)
	for _, name := range r.blocks.names() {
		b, found := r.blocks[name], crc32.New(castagnoli)
		if _, err := io.CopyBuffer(found, io.NewSectionReader(r.file, b.At, b.Bytes), buffer); err != nil {
			return err
		}
		if found.Sum32() != b.Sum {
			return r.damaged(name, found.Sum32(), b)
		}
	}
	return nil
}

// Close closes the part.
func (r *Reader) Close() error { return r.file.Close() }
