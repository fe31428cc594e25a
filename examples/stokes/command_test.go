package main

import (
	"testing"

	"github.com/go-op2/op2/examples/internal/command"
)

func TestMain(m *testing.M) { command.Main(m, main) }

func TestCommand(t *testing.T) {
	command.Test(t, "-n", "4")
}

func TestCommandOnRanks(t *testing.T) {
	t.Setenv("OP2_PARTITIONER", "scotch") // PT-Scotch, where it is
	command.TestRanks(t, "-shares", "-n", "4", "-problem", "channel", "-vtu", "out")
}

func TestTranslated(t *testing.T) {
	t.Run("cavity", func(t *testing.T) { command.TestTranslated(t, "-n", "4", "-o", "") })
	t.Run("channel", func(t *testing.T) { command.TestTranslated(t, "-problem", "channel", "-n", "4", "-o", "") })
}
