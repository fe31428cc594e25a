// Package snapshot is the files of checkpoints. It knows neither runtimes nor meshes: a checkpoint is blocks of bytes
// under names, in a part for each rank, and an index that says what they are and makes them one whole.
//
// A Folder has several checkpoints, which are numbered:
//
//	run.chk/000007/part-00000   the blocks of rank 0, their table, and a check sum of each
//	run.chk/000007/index        what the parts are; without it, there is no checkpoint
//
// The index is written last, under another name that is then changed: whatever happens before, the checkpoints that
// were there stay as they are.
package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/wholefile"
)

// version is that of the format. Version 1 has nothing that is kept beside matrices.
const version = 2

// Kept is the number of checkpoints that a folder keeps.
const Kept = 2

// Index says what a checkpoint is of.
type Index struct {
	Version   int
	Place     int                // of the program: the first that it reached is 0
	Names     map[string][]Shape // of all dats, globals and matrices that the program had declared
	Maps      map[string]uint64  // digests of where maps lead, and of patterns; checkpoints of older programs have none
	Diagonals map[string]float64 // of conditions, at the first place; checkpoints of older programs have none
	Sets      []Set              // of saved data
	Data      []Datum            // that was still there
	Beside    []Beside           // what is kept beside matrices
	Values    []Value
	Parts     []Part
}

// Shape is that of a number of data of one name, one after another.
type Shape struct {
	Shape string // "4 float64 for each of 12000 cells"
	Count int
}

// Set is a set of a mesh.
type Set struct {
	Name string
	Size int64
}

// Datum is a dat, or a matrix.
type Datum struct {
	Name  string // "dat q on cells"
	Nth   int    // of those with that name, from 0
	State State
	Set   int // its place in Sets
	Row   int // bytes for each element, or for each block of a matrix
}

// Beside is something that is kept for the rows of a matrix on behalf of conditions.
type Beside struct {
	Datum    int // its place in Data
	Set      int // that of its rows in Sets
	By       string
	Role     string
	Scale    []byte
	OfValues bool // of a matrix that has been saved
	Replaced bool
	Size     int // bytes of a unit
}

// State says what a checkpoint has of a datum.
type State string

const (
	Saved     State = "saved"
	Unneeded  State = "unneeded"  // the program replaced the values before it read them
	Unchanged State = "unchanged" // a matrix that had not changed since the first place
)

// Value is a global, a const, or a value of the program's own.
type Value struct {
	Name  string // "global dt", "const gam", "kept step"
	Nth   int    // of those with that name, from 0
	Form  string // "float64"
	Bytes []byte

	Optional bool // another run may lack it
}

// Part is the file of a rank.
type Part struct {
	Bytes int64
	Sum   uint32 // the check sum of the table, which has those of the blocks
}

// Folder is the path of a folder of checkpoints.
type Folder string

// Name returns the path of a checkpoint.
func (f Folder) Name(number int) string { return filepath.Join(string(f), fmt.Sprintf("%06d", number)) }

// numbers returns the numbers of all checkpoints, complete or not, ascending.
func (f Folder) numbers() ([]int, error) {
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, err
	}
	var all []int
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil && e.IsDir() && f.Name(n) == filepath.Join(string(f), e.Name()) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

// Complete returns the numbers of the checkpoints that have an index, the last first.
func (f Folder) Complete() ([]int, error) {
	all, err := f.numbers()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(n int) bool {
		_, err := os.Stat(filepath.Join(f.Name(n), "index"))
		return err != nil
	})
	slices.Reverse(all)
	return all, nil
}

// New begins a checkpoint, and returns its number. One rank calls it for all.
func (f Folder) New() (int, error) {
	if err := os.MkdirAll(string(f), 0o777); err != nil {
		return 0, err
	}
	all, err := f.numbers()
	if err != nil {
		return 0, err
	}
	next := 1
	if len(all) > 0 {
		next = all[len(all)-1] + 1
	}
	return next, os.Mkdir(f.Name(next), 0o777)
}

// Commit makes a checkpoint whose parts have been closed complete.
func (f Folder) Commit(number int, x *Index) error {
	x.Version = version
	return errors.Join(f.write(number, x), syncFolder(f.Name(number)), syncFolder(string(f)))
}

// write writes the index of a checkpoint.
func (f Folder) write(number int, x *Index) error {
	text, err := json.MarshalIndent(x, "", "\t")
	if err != nil {
		return err
	}
	return wholefile.Write(filepath.Join(f.Name(number), "index"), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%08x\n", text, sum(text))
		return err
	})
}

// Prune removes the checkpoints before that one which are too old, or were never completed. Large files take a while.
func (f Folder) Prune(number int) error {
	all, err := f.numbers()
	complete, err2 := f.Complete()
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if i := slices.Index(complete, number); i >= 0 {
		complete = complete[i:]
	}
	for _, n := range all {
		if n < number && !slices.Contains(complete[:min(Kept, len(complete))], n) {
			if err := f.Remove(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// Remove removes a checkpoint, first what makes it complete.
func (f Folder) Remove(number int) error {
	if err := os.Remove(filepath.Join(f.Name(number), "index")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(f.Name(number))
}

// Index returns that of a checkpoint.
func (f Folder) Index(number int) (*Index, error) {
	path := filepath.Join(f.Name(number), "index")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text, rest, _ := strings.Cut(string(data), "\n}\n")
	text += "\n}"
	if found := sum([]byte(text)); rest != fmt.Sprintf("%08x\n", found) {
		return nil, fmt.Errorf("%s is damaged: its check sum is %08x, it says %q", path, found, strings.TrimSpace(rest))
	}
	x := &Index{}
	if err := json.Unmarshal([]byte(text), x); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if x.Version < 1 || x.Version > version {
		return nil, fmt.Errorf("%s is of version %d of the format, at most %d is known", path, x.Version, version)
	}
	return x, nil
}

// table is the blocks of a part.
type table map[string]block

type block struct {
	At, Bytes int64
	Sum       uint32
}

// names returns those of the blocks, in order.
func (t table) names() []string { return sorting.Keys(t) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

// syncFolder makes the names in a folder last.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" { // which has no such thing
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
