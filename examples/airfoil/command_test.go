package main

import (
	"os"
	"testing"

	"github.com/go-op2/op2/examples/internal/command"
)

func TestMain(m *testing.M) {
	if os.Getenv(apart) != "" { // by TestStatic, in an environment of its own
		os.Exit(m.Run())
	}
	command.Main(m, main)
}

func TestCommand(t *testing.T) {
	command.Test(t, "-i", "8", "-j", "6", "-iterations", "5")
}

func TestCommandOnRanks(t *testing.T) {
	command.TestRanks(t, "-i", "8", "-j", "6", "-iterations", "5")
}

func TestTranslated(t *testing.T) {
	t.Run("arrays", func(t *testing.T) { command.TestTranslated(t, "-i", "8", "-j", "6", "-iterations", "5", "-o", "") })
	t.Run("structs", func(t *testing.T) {
		command.TestTranslated(t, "-structs", "-i", "8", "-j", "6", "-iterations", "5", "-o", "")
	})
}
