package main

import (
	"fmt"
	"os"
	"os/exec"
)

// translated runs bench/translated, for the code of loops that is made ahead of time: once it is in a program,
// `sequential` compiles nothing.
func translated(quick bool, rounds int) error {
	c := exec.Command("go", "run", "github.com/go-op2/op2/bench/translated", fmt.Sprint("-quick=", quick), fmt.Sprint("-rounds=", rounds))
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("bench/translated: %w", err)
	}
	return nil
}
