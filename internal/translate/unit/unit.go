// Package unit describes pieces of generated C, as backends compile them and op2 translate translates
// them: what identifies one, and the folder in which a program that is being translated leaves its
// own.
package unit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/wholefile"
)

// Variable is the environment variable that names the folder.
const Variable = "OP2_TRANSLATE"

// Unit is a piece of C.
type Unit struct {
	Name   string // of the kernel
	Symbol string // of the function void Symbol(void **args)
	Block  string `json:",omitempty"` // of the function of one block; "" if there is none
	Lanes  string `json:",omitempty"` // of an int32, the elements that run at once; "" for one
	Text   string
	Flags  []string // of the compiler
	About  string   `json:",omitempty"` // the loop, in a line
	Hash   string   `json:",omitempty"` // of what the loop means
	At     string   `json:",omitempty"` // the first place that ran it
}

// Key identifies the unit: by the text, apart from where in the program it is, by whether products and
// sums are rounded separately, and by the user's own flags.
func Key(text string, separately bool, flags []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "op2 translate 1\n%t\n%q\n", separately, flags)
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

// Write leaves a unit in a folder. Several processes may do so.
func Write(dir, key string, u *Unit) error { return write(dir, key+suffix, u) }

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

// read returns the values in the files of a folder whose names end in a suffix, by the rest of these.
func read[T any](dir, suffix string) (map[string]*T, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	values := map[string]*T{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		v := new(T)
		if err := json.Unmarshal(data, v); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		values[strings.TrimSuffix(filepath.Base(path), suffix)] = v
	}
	return values, err
}

const suffix = ".json"

// Read returns the units of a folder by key, and the keys in order of the units' names.
func Read(dir string) (map[string]*Unit, []string, error) {
	units, err := read[Unit](dir, suffix)
	keys := slices.Collect(maps.Keys(units))
	sorting.By(keys, func(a, b string) int { return strings.Compare(units[a].Name+a, units[b].Name+b) })
	return units, keys, err
}
