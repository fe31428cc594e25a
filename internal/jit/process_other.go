//go:build !unix

package jit

import "os/exec"

func ownProcessGroup(*exec.Cmd) {}

func killProcessGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killedBy(*exec.ExitError) string { return "" }
