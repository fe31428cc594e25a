package jit

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestConcurrentProcesses(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	dir := filepath.Join(t.TempDir(), "cache")
	var outputs [8]bytes.Buffer
	var wait [len(outputs)]func() error
	for n := range wait {
		cmd := child("build", dir)
		cmd.Stdout, cmd.Stderr = &outputs[n], &outputs[n]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait[n] = cmd.Wait
	}
	for n := range wait {
		if err := wait[n](); err != nil {
			t.Errorf("process %d: %v\n%s", n, err, &outputs[n])
		}
	}
	b := newBench(t, Config{CacheDir: dir})
	if err := buildAll(b.Builder); err != nil {
		t.Errorf("%+v", err)
	}
	b.expect(t, 0, 0)
	entries, err := Entries(dir)
	if err != nil || len(entries) != buildAllUnits {
		t.Errorf("entries %+v, %v", entries, err)
	}
	for _, name := range list(t, dir) {
		if !cacheFilePattern.MatchString(name) {
			t.Errorf("left in the cache: %s", name)
		}
	}
}

// Clearing the folder while others use it costs them time and nothing else.
func TestClearedMeanwhile(t *testing.T) {
	needCompiler(t)
	emptyTemp(t)
	dir := filepath.Join(t.TempDir(), "cache")
	done := make(chan string)
	const processes = 3
	for range processes {
		go func() {
			for range 2 {
				if output, err := child("build", dir).CombinedOutput(); err != nil {
					done <- fmt.Sprintf("%v\n%s", err, output)
					return
				}
			}
			done <- ""
		}()
	}
	for ended := 0; ended < processes; {
		select {
		case failure := <-done:
			ended++
			if failure != "" {
				t.Error(failure)
			}
		default:
			if _, _, err := Clear(dir); err != nil {
				t.Error(err)
			}
		}
	}
}

// A compiler that hangs ends, with what it has started, when the program does, and leaves no folder.
func TestCompilerEndsWithTheProgram(t *testing.T) {
	for _, end := range []os.Signal{os.Interrupt, os.Kill} {
		dir := t.TempDir()
		pipe := filepath.Join(dir, "pipe")
		if err := makePipe(pipe); err != nil {
			t.Skip(err)
		}
		cmd := child("compile", filepath.Join(dir, "cache"))
		temp := t.TempDir()
		cmd.Env = append(cmd.Env, "TMPDIR="+temp, "CC="+fakeCompiler(t, "sleep 600 >"+pipe+"; echo it goes on"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		open, err := os.Open(pipe) // once the compiler has started what hangs
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Process.Signal(end)
		_ = cmd.Wait()
		ended := make(chan struct{})
		go func() {
			_, _ = io.Copy(io.Discard, open)
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(hangs):
			t.Errorf("%v: the compiler is still running", end)
		}
		open.Close()
		for limit := time.Now().Add(hangs); len(list(t, temp)) > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("%v: left in the temporary folder: %q", end, list(t, temp))
			}
		}
	}
}

// A process that is killed at any instant leaves nothing that prevents the next one from starting.
func TestKilledProcesses(t *testing.T) {
	needCompiler(t)
	t.Setenv("TMPDIR", t.TempDir())
	dir := t.TempDir()
	for round := range 20 {
		cmd := child("until killed", dir)
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(5+rand.IntN(100)) * time.Millisecond)
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || output.Len() > 0 {
			t.Fatalf("round %d: the child ended by itself, %v\n%s", round, err, &output)
		}
		b := newBench(t, Config{CacheDir: dir})
		for n := range 3 {
			mustAdd(t, b.Builder, "killed", n)
		}
		again := newBench(t, Config{CacheDir: dir})
		for n := range 3 {
			mustAdd(t, again.Builder, "killed", n)
		}
		again.expect(t, 0, 0)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		if round%4 != 0 {
			continue // the next child starts with what is there
		}
		if _, _, err := Clear(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("left by 20 killed processes: %d files in the cache, %d folders", len(list(t, dir)), len(list(t, os.Getenv("TMPDIR"))))
	// What remains belongs to the cache, and is removed when it is old enough.
	if _, _, err := Clear(dir); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{dir, os.Getenv("TMPDIR")} {
		left := []string{""}
		for try := 0; try < 50 && len(left) > 0; try++ { // the last child's compiler may still be running
			time.Sleep(time.Duration(try) * time.Millisecond)
			sweep(root, time.Now().Add(2*staleAfter))
			left = list(t, root)
		}
		if len(left) > 0 {
			t.Errorf("left in %s: %q", root, left)
		}
	}
}
