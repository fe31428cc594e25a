package main

import (
	"testing"

	"github.com/go-op2/op2/examples/internal/command"
)

func TestMain(m *testing.M) { command.Main(m, main) }

func TestCommand(t *testing.T) {
	command.Test(t, "-n", "1")
}

func TestCommandOnRanks(t *testing.T) {
	command.TestRanks(t, "-shares", "-n", "1", "-vtu", "out")
}
