package main

import (
	"path/filepath"

	"github.com/go-op2/op2/internal/translate/project"
	"github.com/go-op2/op2/internal/translate/recording"
)

// writeProject runs the program once, and writes a project in C of that.
func (t *translation) writeProject(units string) error {
	if err := recording.Request(units); err != nil {
		return err
	}
	t.runs = t.runs[:1]
	if err := t.record(units); err != nil {
		return err
	}
	program, err := filepath.Abs(t.program)
	if err != nil {
		return err
	}
	if err := project.Write(t.project, filepath.Base(program), units); err != nil {
		return err
	}
	return t.wrote(t.project)
}
