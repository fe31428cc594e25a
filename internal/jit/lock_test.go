//go:build linux || darwin || freebsd

package jit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// notingCompiler puts a gcc first in the path that runs before, notes in a file each library that
// it makes, and then is the real one.
func notingCompiler(t *testing.T, before string) (log string) {
	t.Helper()
	real, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	text := "#!/bin/sh\ncase \"$*\" in *-shared*)\n" + strings.ReplaceAll(before, "DIR", dir) + "\necho made >> " + log + ";; esac\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "gcc"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return log
}

// Of processes that start together one compiles each unit, and the others find it.
func TestOneProcessCompiles(t *testing.T) {
	needCompiler(t)
	log := notingCompiler(t, "sleep 0.1")
	dir := filepath.Join(t.TempDir(), "cache")
	var children []*exec.Cmd
	for range 4 {
		cmd := child("build", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	made, err := os.ReadFile(log)
	if n := bytes.Count(made, []byte("made")); err != nil || n != buildAllUnits {
		t.Errorf("%d compilations of %d units, %v", n, buildAllUnits, err)
	}
}

// If the process that compiles is killed, another one takes over.
func TestCompilingProcessIsKilled(t *testing.T) {
	needCompiler(t)
	log := notingCompiler(t, "if mkdir DIR/first; then touch DIR/started; sleep 600; fi")
	dir := filepath.Join(t.TempDir(), "cache")
	first := child("build", dir)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	started := filepath.Join(filepath.Dir(log), "started")
	for end := time.Now().Add(hangs); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(started); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the first process does not compile")
		}
	}
	second := child("build", dir)
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	_ = first.Process.Kill()
	_ = first.Wait()
	if err := second.Wait(); err != nil {
		t.Error(err)
	}
}
