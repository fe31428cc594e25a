// Package unit describes pieces of generated text, as backends compile them and op2 translate translates
// them: what identifies one, and the folder in which a program that is being translated leaves its
// own.
package unit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/wholefile"
)

// Variable is the environment variable that names the folder.
const Variable = "OP2_TRANSLATE"

// Unit is a piece of C for the host, or the source of a program for a kind of device: of a loop, or of something else
// that the library runs.
type Unit struct {
	Device string `json:",omitempty"` // opencl, opencl-cpu or cuda; "" for the host
	Key    string
	Name   string // of the kernel
	Symbol string `json:",omitempty"` // on the host, of the function void Symbol(void **args)
	Block  string `json:",omitempty"` // of the function of one block; "" if there is none
	Lanes  string `json:",omitempty"` // of an int32, the elements that run at once; "" for one
	Text   string
	Flags  []string // of the compiler
	About  string   `json:",omitempty"` // what it is, in a line
	Hash   string   `json:",omitempty"` // of what the loop means
	At     string   `json:",omitempty"` // the first place that ran it
}

// Key identifies C: by the text, apart from where in the program it is, by whether products and
// sums are rounded separately, and by the user's own flags.
func Key(text string, separately bool, flags []string) string {
	return key(text, "op2 translate 1\n%t\n%q\n", separately, flags)
}

// ProgramKey identifies a program for devices: by its language, the flags of its compiler, and the text, apart from where
// in the program of the user it is.
func ProgramKey(language string, flags []string, text string) string {
	return key(text, "op2 translate for devices 1\n%s\n%q\n", language, flags)
}

func key(text, format string, values ...any) string {
	h := sha256.New()
	fmt.Fprintf(h, format, values...)
	h.Write([]byte(Plain(text)))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Plain returns the text without the lines that say where in the program it is from.
func Plain(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#line ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// Write leaves the unit in a folder. Several processes may do so.
func (u *Unit) Write(dir string) error {
	if err := write(dir, u.Device+"-"+u.Key+suffix, u); err != nil {
		return fmt.Errorf("%s cannot be recorded for op2 translate: %w", u.Name, err)
	}
	return nil
}

func write(dir, name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return wholefile.Write(filepath.Join(dir, name), func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}

// read returns the values in the files of a folder whose names end in a suffix.
func read[T any](dir, suffix string) (values []*T, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		v := new(T)
		if err := json.Unmarshal(data, v); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		values = append(values, v)
	}
	return values, err
}

const suffix = ".unit"

// Read returns the units in a folder: those of the host, and of each kind of device, by name.
func Read(dir string) ([]*Unit, error) {
	units, err := read[Unit](dir, suffix)
	sorting.By(units, func(a, b *Unit) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	return units, err
}

// mark is a file that requests programs for devices, which it names.
const mark = "devices"

// RequestPrograms makes programs that leave their code in a folder leave that for these devices there, instead of the
// host's.
func RequestPrograms(dir string, devices ...string) error {
	return os.WriteFile(filepath.Join(dir, mark), []byte(strings.Join(devices, " ")), 0o666)
}

// ProgramsRequested returns the devices whose programs are to be left in a folder; none for those of the host.
func ProgramsRequested(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	names, err := os.ReadFile(filepath.Join(dir, mark))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.Fields(string(names)), err
}
