//go:build unix

package mpitest

import (
	"os/exec"
	"syscall"
)

// endGroup makes the launcher and what it starts a group, which is ended as a whole.
func endGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
