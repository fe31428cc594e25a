package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/progress"
)

// console is where a command writes.
type console struct {
	results io.Writer
	status  io.Writer // progress, and names of written files
}

// wrote reports a new file.
func (c console) wrote(path string) error {
	_, err := fmt.Fprintf(c.status, "wrote %s\n", path)
	return err
}

// progress returns the option that shows how much of a mesh is read, and a function that removes what is shown.
func (c console) progress() (option mesh.ReadOption, remove func()) {
	bar := progress.New(c.status, 100)
	return mesh.WithProgress(func(done float64) { bar.Show(int(100 * done)) }), bar.Clear
}

// errFailed is a failure of which everything has been reported.
var errFailed = errors.New("failed")
