package jit

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
)

// checkImage refuses what a compiler left that did not notice a full disk, or that is no compiler. The loader maps a
// library without looking at how long its file is, and a missing end kills the process when it is touched.
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
