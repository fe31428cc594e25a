// Package recording holds one run of a program as data: what its loops used, in which order they ran, and what came
// out. Package trace records it, package project writes a project in C of it.
package recording

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-op2/op2/internal/codegen"
)

// Run is a run, in a folder that also has the values of each array.
type Run struct {
	Arrays []Array
	Codes  []Code
	Loops  []Loop
	Events []Event // what happened, in order
	Plan   int     // elements in a block of the plans

	Problem string `json:",omitempty"` // why there is none of the above
}

// Array is memory that loops use.
type Array struct {
	Name     string // of its file, too, which has the values of before the run; distinct
	Kind     string // dat, global, mat, map, const, table or plan
	Type     string // of a value: float64; bytes if values are of several types
	Dim      int    // values of an element
	Elements int
	Bytes    int
	Sum      *Sum `json:",omitempty"` // after the run; of floating-point values that it changes
}

// Sum is the sum of an array's values, and that of their sizes.
type Sum struct{ Values, Sizes float64 }

// Code is generated code, which several loops may share.
type Code struct {
	Name       string // of the kernel
	About      string // where the kernel is
	Sequential *codegen.Program
	Threads    *codegen.Program
	CUDA       Kernels
	OpenCL     Kernels
	Flags      []string // of C compilers, that its values depend on
}

// Kernels is a piece of code for a kind of device. Its text has the values of consts that it defines; a SlotPartials is
// that of the argument with this number among those with data.
type Kernels struct {
	*codegen.DeviceProgram
	Size  int      // work-items in a group
	Flags []string // of the device's compiler
}

// Loop is a loop with what it uses: numbers of arrays.
type Loop struct {
	Code      int
	Set       string
	Size      int // of the set
	Data      []int
	Maps      []int
	Consts    []int
	Nonzeros  [][3]int // tables, or -1, rows and columns, or -1
	Args      []Arg
	Runs      int // of the elements, without a plan
	BlockRuns int // by block
	Blocks    int // the first of the runs of each block
	Order     int // blocks by color
	Colors    int // the first of the blocks of each color
	Listed    int // elements on a device, by color if there are colors; -1 for those of Runs
	Listing   int // the first of Listed of each color; -1 for none
}

// Arg is an argument of a loop.
type Arg struct {
	Access    string
	Data      int // of the loop
	Map       int // of the loop; -1 for none
	Component int // -1 for all
}

// Event is a call of a loop, or a change that the program made to an array by itself.
type Event struct {
	Loop  int // -1 for a change
	Array int // that is changed
	At    int // of the new values in the file changes.bin
}

const (
	file = "run.json"
	mark = "wanted" // a file that requests a recording
	// Changes is the file of the values of changes.
	Changes = "changes.bin"
)

// Request makes programs that leave their code in a folder record their run there, too.
func Request(dir string) error { return os.WriteFile(filepath.Join(dir, mark), nil, 0o666) }

// Requested reports whether a program that leaves its code in a folder records its run.
func Requested(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, mark))
	return dir != "" && err == nil
}

// Values returns the path of the file with the values of an array.
func Values(dir, name string) string { return filepath.Join(dir, name+".bin") }

// Write leaves the run in a folder, which has no other.
func (r *Run) Write(dir string) error {
	path := filepath.Join(dir, file)
	if _, err := os.Stat(path); err == nil {
		r = &Run{Problem: "several runtimes have run loops, and a recording is of one"}
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}

// Read reads the run in a folder.
func Read(dir string) (*Run, error) {
	data, err := os.ReadFile(filepath.Join(dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the program recorded no run: it must call loops, and close its runtime")
	}
	if err != nil {
		return nil, err
	}
	r := &Run{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if r.Problem != "" {
		return nil, errors.New(r.Problem)
	}
	return r, nil
}
