package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/record"
)

// records runs a program and returns what it recorded, or reads a folder of records. What the
// program prints goes to the status, results being those of op2.
func records(c console, args []string) ([]*record.Runtime, error) {
	dir := args[0]
	if info, err := os.Stat(dir); len(args) > 1 || err != nil || !info.IsDir() || isPackage(dir) {
		temp, err := os.MkdirTemp("", "op2-record-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(temp)
		if err := runWith(c, record.Variable+"="+temp, args); err != nil {
			return nil, err
		}
		dir = temp
	}
	all, err := record.Read(dir)
	if err == nil && !slices.ContainsFunc(all, func(r *record.Runtime) bool { return len(r.Loops) > 0 }) {
		err = fmt.Errorf("%s: no loop was recorded", strings.Join(args, " "))
	}
	return all, err
}

// isPackage reports whether a folder holds Go source.
func isPackage(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(files) > 0
}

// runWith runs a program, or the package in a folder, with a variable in its environment. Ctrl-C ends the program alone.
func runWith(c console, variable string, args []string) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	if isPackage(args[0]) {
		dir := args[0]
		if filepath.IsLocal(dir) {
			dir = "./" + dir // which is no import path
		}
		args = append([]string{"go", "run", dir}, args[1:]...)
	}
	program := exec.Command(args[0], args[1:]...)
	program.Env = append(os.Environ(), variable)
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, c.status, c.status
	err := program.Run()
	if err != nil && len(interrupts) == 0 {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return nil
}
