package main

import (
	"testing"

	"github.com/go-op2/op2/examples/internal/command"
)

func TestMain(m *testing.M) { command.Main(m, main) }

func TestCommand(t *testing.T) {
	command.Test(t, "-n", "6")
}

func TestCommandOnRanks(t *testing.T) {
	command.TestRanks(t, "-n", "6")
}

func TestTranslated(t *testing.T) {
	command.TestTranslated(t, "-n", "6")
}
