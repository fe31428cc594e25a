package unit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Program is the source of a loop for a kind of device, or of something else that the library runs there.
type Program struct {
	Device string // opencl, opencl-cpu or cuda
	Key    string
	Name   string // of the kernel
	Text   string
	Flags  []string // of the device's compiler
	About  string   `json:",omitempty"` // what it is, in a line
	Hash   string   `json:",omitempty"` // of what the loop means
	At     string   `json:",omitempty"` // the first place that ran it
}

// ProgramKey identifies a program: by its language, the flags of its compiler, and the text, apart from where in the
// program of the user it is.
func ProgramKey(language string, flags []string, text string) string {
	h := sha256.New()
	fmt.Fprintf(h, "op2 translate for devices 1\n%s\n%q\n", language, flags)
	h.Write([]byte(Plain(text)))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// WriteProgram leaves a program in a folder. Several processes may do so.
func WriteProgram(dir string, p *Program) error {
	return write(dir, p.Device+"-"+p.Key+ofProgram, p)
}

const ofProgram = ".program"

// ReadPrograms returns the programs in a folder, ordered by device and name.
func ReadPrograms(dir string) ([]*Program, error) {
	found, err := read[Program](dir, ofProgram)
	programs := slices.Collect(maps.Values(found))
	slices.SortFunc(programs, func(a, b *Program) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	return programs, err
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
