//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inGroup puts a program in a process group of its own, all of which is interrupted when it is canceled: go run and mpirun
// start others.
func inGroup(program *exec.Cmd) {
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	program.Cancel = func() error { return syscall.Kill(-program.Process.Pid, syscall.SIGINT) }
}
