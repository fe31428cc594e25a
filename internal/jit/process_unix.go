//go:build unix

package jit

import (
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps terminal interrupts away from the compiler: the program decides what an
// interrupt means, and if it continues, its compilations must too. Canceling kills the compiler
// with all its children.
func ownProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killProcessGroup(cmd) }
}

func killProcessGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// killedBy returns the signal that ended a process, or "".
func killedBy(err *exec.ExitError) string {
	if status, ok := err.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
