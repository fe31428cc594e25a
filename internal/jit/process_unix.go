//go:build unix

package jit

import (
	"errors"
	"os/exec"
	"syscall"
)

// runApart runs a compiler in a process group of its own. Interrupts from the terminal do not reach it: the
// program decides what an interrupt means, and if it continues, its compilations must too. When the
// compiler is canceled or fails, and when this process ends, even by SIGKILL, the whole group is killed: a
// compiler consists of several processes, each of which may hang. If this process ends first, the folder that the
// compiler runs in, unless that is the current one, is removed, too.
func runApart(cmd *exec.Cmd) error {
	group := 0 // that of the compiler itself
	if guard := startGuard(cmd.Dir); guard != nil {
		group = guard.Process.Pid
		defer func() {
			_ = guard.Process.Kill()
			_ = guard.Wait()
		}()
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	kill := func() error {
		if group == 0 {
			return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
		return syscall.Kill(-group, syscall.SIGKILL)
	}
	cmd.Cancel = kill
	err := cmd.Run()
	if err != nil && cmd.Process != nil && !errors.Is(err, exec.ErrWaitDelay) {
		_ = kill()
	}
	return err
}

// guardScript ends a compiler before it removes the folder, so that no new files appear there, and then what is left
// of it.
const guardScript = `read end; trap "" TERM; kill -TERM 0; [ -z "$1" ] || /bin/rm -rf "$1"; kill -KILL 0`

// startGuard starts a shell in a process group of its own, which it kills once this process has ended: then
// the pipe that the shell reads from ends. It removes the folder, if there is one. It returns nil if there is no shell.
func startGuard(folder string) *exec.Cmd {
	guard := exec.Command("/bin/sh", "-c", guardScript, "sh", folder)
	guard.Env = []string{}
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if _, err := guard.StdinPipe(); err != nil || guard.Start() != nil {
		return nil
	}
	return guard
}

// killedBy returns the signal that ended a process, or "".
func killedBy(err *exec.ExitError) string {
	if status, ok := err.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
