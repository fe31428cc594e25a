// Package team provides the threads that run the loops of the backend `openmp`: a small C
// library, csrc/team.c, compiled and cached like loops. Generated code calls it through the Job
// that it is passed.
package team

import (
	_ "embed"
	"runtime"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/tune"
)

// Source is the library in C.
//
//go:embed csrc/team.c
var Source string

// A Team is a group of threads that run jobs of one caller at a time. They start when they are
// first needed.
type Team struct {
	threads int
	builder *jit.Builder
	unit    jit.Unit
	build   *jit.Build // nil until Begin
	handle  *handle    // nil unless open
}

// handle is an open team for C.
type handle struct {
	instance *jit.Instance
	close    uintptr
	job      Job // with run and team
}

// A Job is a loop's request to a team: struct job of team.c.
type Job struct {
	run, team uintptr
	colors    *int32 // offsets of the blocks of each color
	count     int64  // of colors
	Threads   int64  // that may work on it, including the caller
	Dynamic   int64  // 1: threads take blocks one by one from the whole color, without shares
	Waited    int64  // accumulates the nanoseconds that the caller waits for other threads

	Stop unsafe.Pointer // an int32 that becomes nonzero when no more blocks should run; nil: never
}

// New creates a team of that many threads, including the caller. Its library is compiled with the
// flags of loops.
func New(b *jit.Builder, flags []string, threads int) *Team {
	flags = append(slices.Clone(flags), "-pthread")
	return &Team{threads: threads, builder: b, unit: jit.Unit{Name: "op2_threads", Source: Source, Flags: flags, Resident: true}}
}

// Begin starts to compile the library.
func (t *Team) Begin() {
	if t.build == nil {
		t.build = t.builder.Start(t.unit)
	}
}

// Compiled waits for the compiler.
func (t *Team) Compiled() error {
	t.Begin()
	return t.build.Wait()
}

// Open waits for the compiler and opens the team, unless it is open. Close, or else the collector,
// closes it.
func (t *Team) Open() error {
	if t.handle != nil {
		return nil
	}
	t.Begin()
	instance, err := t.build.Acquire()
	if err != nil {
		return err
	}
	h := &handle{instance: instance}
	open, err := instance.Symbol("op2_team_open")
	if err == nil {
		h.close, err = instance.Symbol("op2_team_close")
	}
	if err != nil {
		instance.Release()
		return err
	}
	spin := tune.DefaultMachine().Threads
	native.Call(open, uintptr(t.threads), uintptr(spin.LeastSpin), uintptr(spin.MostSpin), uintptr(unsafe.Pointer(&h.job)))
	runtime.KeepAlive(h)
	t.handle = h
	runtime.AddCleanup(t, func(h *handle) { h.end() }, h)
	return nil
}

// Hand sets the fields that a job needs to run on the open team: color c has the blocks
// [colors[c], colors[c+1]).
func (t *Team) Hand(j *Job, colors []int32) {
	j.run, j.team = t.handle.job.run, t.handle.job.team
	j.colors, j.count = unsafe.SliceData(colors), int64(len(colors)-1)
}

// Close ends the threads, without waiting for them. No jobs of the team may be running. A closed
// team can be opened again.
func (t *Team) Close() {
	if t.handle != nil {
		t.handle.end()
		t.handle = nil
	}
}

func (h *handle) end() {
	if h.job.team == 0 {
		return
	}
	native.Call(h.close, h.job.team)
	h.job.team = 0
	h.instance.Release()
}
