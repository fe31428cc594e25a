// Package wisdom keeps what was learned about loops: which choices made one fastest, on which machine, and how sure that is.
//
// It knows neither loops nor choices, which are text to it. Package run asks it before a loop is prepared, and adds what
// trials have found; command op2 lists, exports, imports and forgets.
//
// # The file
//
// Findings are lines of JSON in a file that is only appended to, each by one write:
//
//	{"op2wisdom":1,"sum":"89abcdef","of":{"loop":"…","machine":"…",…}}
//
// The sum is the CRC-32 of the bytes of "of". What is damaged, incomplete or of another version is skipped, so that a process
// killed at any instant, a full disk, and many processes at once cost at most the line that was being written. Of findings
// with equal keys the one of most rigor counts, and of those the last. Forgetting is a line, too.
//
// A line says of what was tried only what is new, and earlier lines with its key the rest, so that the file grows with what is
// learned. Once much of it counts no more, it is written anew, while a lock keeps others from appending.
package wisdom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/filelock"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/wholefile"
)

// Rigor is how thoroughly choices were compared. Findings are used where at most theirs is asked for.
type Rigor int

// The rigors, as FFTW has them.
const (
	Estimate Rigor = iota // nothing was measured
	Measure               // on calls that the program makes anyway
	Patient               // without regard to what that costs
)

var rigors = []string{"estimate", "measure", "patient"}

func (r Rigor) String() string { return rigors[r] }

// Key says what a finding is about.
type Key struct {
	Loop     string `json:"loop"`     // the hash of what it means
	Machine  string `json:"machine"`  // a processor or a device
	Compiler string `json:"compiler"` // that is used unless something else is chosen
	Class    string `json:"class"`    // of sizes and connectivity
}

func (k Key) compare(o Key) int {
	return strings.Compare(strings.Join([]string{k.Loop, k.Machine, k.Compiler, k.Class}, "\n"), strings.Join([]string{o.Loop, o.Machine, o.Compiler, o.Class}, "\n"))
}

// Finding is what was learned about a loop.
type Finding struct {
	Key
	Name    string    `json:"name"`             // of the loop, for people: "res_calc over edges"
	Choice  string    `json:"choice"`           // the fastest; "" for that of the estimate
	Rigor   Rigor     `json:"rigor"`            // with which it was compared with the others
	Breadth int       `json:"breadth"`          // of what has all been tried with this rigor, and confirmed; negative before that
	Credit  float64   `json:"credit,omitempty"` // seconds that further trials may cost
	Tried   []Tried   `json:"tried,omitempty"`  // the others, and the choice itself
	When    time.Time `json:"when"`             // it was found
	Forgets bool      `json:"forget,omitempty"` // what was found before about the key
}

// Tried is what was measured of a choice.
type Tried struct {
	Choice string `json:"choice"`
	Times  int    `json:"times,omitempty"` // that it ran and counted
	// The ratio of its time to that of the estimate's choice: the median, and the ends of its confidence interval.
	Ratio   float64   `json:"ratio,omitempty"`
	Low     float64   `json:"low,omitempty"`
	High    float64   `json:"high,omitempty"`
	Open    []float64 `json:"open,omitempty"`    // the ratios so far, if it is not decided yet
	Refused string    `json:"refused,omitempty"` // why it did not run: results differ, a compiler's error
}

// Of returns what was measured of a choice; nil if it was not tried.
func (f *Finding) Of(choice string) *Tried {
	for i := range f.Tried {
		if f.Tried[i].Choice == choice {
			return &f.Tried[i]
		}
	}
	return nil
}

// after returns f with what was tried before, too.
func (f Finding) after(before []Tried) Finding {
	now := f.Tried
	f.Tried = slices.Clone(before)
	for _, t := range now {
		if old := f.Of(t.Choice); old != nil {
			*old = t
		} else {
			f.Tried = append(f.Tried, t)
		}
	}
	return f
}

// without returns f without what is known of choices already.
func (f Finding) without(known Finding) Finding {
	f.Tried = slices.DeleteFunc(slices.Clone(f.Tried), func(t Tried) bool {
		old := known.Of(t.Choice)
		return old != nil && reflect.DeepEqual(*old, t)
	})
	return f
}

// better reports whether a finding takes the place of another one with its key that was found before.
func (f *Finding) better(than Finding) bool { return f.Forgets || f.Rigor >= than.Rigor }

// FileName is the name of the file, beside the code cache.
const FileName = "wisdom.jsonl"

// Wisdom is the findings of a file, and those that were added since it was read. Its methods may be called from any
// goroutine.
type Wisdom struct {
	path string // "" for none: nothing is kept
	warn func(string)

	mu      sync.Mutex
	known   map[Key]Finding
	pending []Finding // not in the file yet, as far as they are new
	large   int64     // the size from which the file is written anew
	warned  bool
}

// A file is written anew when it is so many times as large as that makes it, unless it is small.
const (
	worthCompacting = 4
	small           = 64 << 10
)

// Open reads the wisdom of a folder, which need not exist. Without a folder, nothing is kept. Problems with the
// file cost what it says, and are told by warn, once.
func Open(dir string, warn func(string)) *Wisdom {
	w := New(warn)
	if dir == "" {
		return w
	}
	w.path = filepath.Join(dir, FileName)
	data, err := read(w.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.complain("read", err)
	}
	w.Merge(data)
	w.large = small
	if len(data) > small {
		w.large = max(small, worthCompacting*int64(len(w.Text())))
	}
	return w
}

// read reads a regular file: opening a named pipe would block.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	}
	return os.ReadFile(path)
}

// New returns wisdom that is kept nowhere.
func New(warn func(string)) *Wisdom { return &Wisdom{warn: warn, known: map[Key]Finding{}} }

func (w *Wisdom) complain(verb string, err error) {
	if w.warned || w.warn == nil {
		return
	}
	w.warned = true
	w.warn(fmt.Sprintf("the wisdom in %s cannot be %s (%v): what is learned is not kept", w.path, verb, err))
}

// Merge takes over the findings in the text of a file where they are better than those that are known. It does not
// write them.
func (w *Wisdom) Merge(text []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range decode(text) {
		w.take(f)
	}
}

// take reports whether a finding is better than what is known.
func (w *Wisdom) take(f Finding) bool {
	old, is := w.known[f.Key]
	switch {
	case is && !f.better(old):
		return false
	case f.Forgets:
		delete(w.known, f.Key)
	default:
		w.known[f.Key] = f.after(old.Tried)
	}
	return true
}

// Find returns what was found about a key with at least that rigor.
func (w *Wisdom) Find(k Key, least Rigor) (Finding, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f, is := w.known[k]
	return f, is && f.Rigor >= least
}

// All returns all findings, those of a loop together.
func (w *Wisdom) All() []Finding {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Finding
	for _, f := range w.known {
		all = append(all, f)
	}
	return sorting.Sorted(all, func(a, b Finding) int {
		if n := strings.Compare(a.Name, b.Name); n != 0 {
			return n
		}
		return a.Key.compare(b.Key)
	})
}

// Add adds a finding, unless a better one is known, and reports whether it did. Save writes it.
func (w *Wisdom) Add(f Finding) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	old := w.known[f.Key]
	if !w.take(f) {
		return false
	}
	w.pending = append(w.pending, f.without(old))
	return true
}

// Forget adds that nothing is known about a key.
func (w *Wisdom) Forget(k Key) { w.Add(Finding{Key: k, When: time.Now(), Forgets: true}) }

// Text returns all findings as the text of a file.
func (w *Wisdom) Text() []byte { return encode(w.All()) }

// Save appends what was added to the file. What cannot be written is told once, and written by the next call that can.
func (w *Wisdom) Save() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.path == "" || len(w.pending) == 0 {
		return nil
	}
	unlock, locked := w.lock()
	defer unlock()
	size, err := appendTo(w.path, encode(w.pending))
	if err != nil {
		w.complain("written", err)
		return err
	}
	w.pending = nil
	if locked && size > w.large {
		w.large = max(small, worthCompacting*compact(w.path))
	}
	return nil
}

// Compact writes the file anew, without what no longer counts, if nobody else can append to it meanwhile.
func (w *Wisdom) Compact() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.path == "" {
		return
	}
	unlock, locked := w.lock()
	defer unlock()
	if locked {
		compact(w.path)
	}
}

// lockPatience is how long others may take to write. After that something is wrong with the lock, and lines are appended all
// the same, which costs them at most where the file is being written anew.
const lockPatience = time.Second

// lock takes the turn among processes that write the file.
func (w *Wisdom) lock() (unlock func(), locked bool) {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	return filelock.Lock(ctx, filepath.Join(filepath.Dir(w.path), ".locks", "wisdom"))
}

// compact writes a file anew with what counts of it, and lines of other versions, and returns its size. If that fails, it
// stays as it was.
func compact(path string) (size int64) {
	data, err := read(path)
	if err != nil {
		return 0
	}
	w := New(nil)
	w.Merge(data)
	text := append(foreign(data), w.Text()...)
	if wholefile.Write(path, func(out io.Writer) error {
		_, err := out.Write(text)
		return err
	}) != nil {
		return int64(len(data))
	}
	return int64(len(text))
}

// appendTo appends text to a file by one write, which those of other processes do not interrupt, and returns its size then.
func appendTo(path string, text []byte) (size int64, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return 0, err
	}
	_, err = f.Write(text)
	if info, failed := f.Stat(); failed == nil {
		size = info.Size()
	}
	return size, errors.Join(err, f.Close())
}
