//go:build !unix

package jit

import "os/exec"

func runApart(cmd *exec.Cmd) error { return cmd.Run() }

func killedBy(*exec.ExitError) string { return "" }
