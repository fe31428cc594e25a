package unit

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// Place is a place in a program that its run has reached.
type Place struct {
	What string // the verb of the library that is called there, or the name of the kernel that is there
	File string // as the compiler was given it
	Line int    // 0 for a kernel
}

// noted are the places of this process, by folder.
var noted sync.Map

// Reach leaves a place in a folder, once.
func Reach(dir string, p Place) error {
	type key struct {
		dir string
		Place
	}
	if _, again := noted.LoadOrStore(key{dir, p}, true); again {
		return nil
	}
	name := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, p)))
	if err := write(dir, name[:32]+reached, p); err != nil {
		return fmt.Errorf("op2: for op2 translate: %w", err)
	}
	return nil
}

const reached = ".reached"

// Reached returns the places in a folder.
func Reached(dir string) (map[Place]bool, error) {
	found, err := read[Place](dir, reached)
	places := map[Place]bool{}
	for _, p := range found {
		places[*p] = true
	}
	return places, err
}
