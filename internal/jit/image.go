package jit

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
)

// checkImage rejects output of a compiler that failed to notice a full disk, or is not a compiler.
// The loader maps a library without checking its length, and touching a missing part kills the
// process.
func checkImage(image []byte) error {
	if len(image) == 0 {
		return errors.New("empty")
	}
	if !imagesAreELF {
		return nil
	}
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return errors.New("not an ELF file, or cut short")
	}
	if file.Type != elf.ET_DYN {
		return fmt.Errorf("an ELF file of type %v", file.Type)
	}
	for _, segment := range file.Progs {
		if end := segment.Off + segment.Filesz; end < segment.Off || end > uint64(len(image)) {
			return errors.New("cut short")
		}
	}
	return nil
}
