package main

import (
	"testing"

	"github.com/go-op2/op2/examples/internal/command"
)

func TestMain(m *testing.M) { command.Main(m, main) }

func TestCommand(t *testing.T) {
	command.Test(t, "-i", "6", "-j", "5", "-iterations", "2")
}

func TestCommandOnRanks(t *testing.T) {
	command.TestRanks(t, "-i", "6", "-j", "5", "-iterations", "2")
}

func TestTranslated(t *testing.T) {
	t.Run("matrix-free", func(t *testing.T) { command.TestTranslated(t, "-i", "6", "-j", "5", "-iterations", "2", "-o", "") })
	t.Run("assembled", func(t *testing.T) {
		command.TestTranslated(t, "-method", "assembled", "-i", "6", "-j", "5", "-iterations", "2", "-o", "")
	})
}
