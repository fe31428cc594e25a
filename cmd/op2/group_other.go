//go:build !unix

package main

import "os/exec"

// inGroup leaves a program as it is: it alone is ended when it is canceled.
func inGroup(*exec.Cmd) {}
