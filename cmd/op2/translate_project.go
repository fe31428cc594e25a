package main

import (
	"fmt"
	"path/filepath"

	"github.com/go-op2/op2/internal/translate/project"
	"github.com/go-op2/op2/internal/translate/recording"
)

// writeProject runs the program once, and writes a project in C of that.
func (t *translation) writeProject(units string) error {
	p, err := project.New(t.project)
	if err != nil {
		return fmt.Errorf("-project: %w", err)
	}
	defer p.Discard()
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
	if err := t.Err(); err != nil {
		return err
	}
	if err := p.Write(filepath.Base(program), units); err != nil {
		return err
	}
	return t.wrote(t.project)
}
