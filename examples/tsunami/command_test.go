package main

import (
	"testing"

	"github.com/go-op2/op2/examples/internal/command"
)

func TestMain(m *testing.M) { command.Main(m, main) }

func TestCommand(t *testing.T) {
	command.Test(t, "-refine", "0", "-time", "30")
}

func TestCommandOnRanks(t *testing.T) {
	command.TestRanks(t, "-shares", "-refine", "0", "-time", "600", "-series", "waves.pvtu")
}

func TestTranslated(t *testing.T) {
	command.TestTranslated(t, "-refine", "0", "-time", "30", "-o", "")
}
