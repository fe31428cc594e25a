package jit

import (
	"encoding/binary"
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
	const header, segment, bits64, library = 64, 56, 2, 3 // bytes of entries; a class and a type of files
	if len(image) < header || string(image[:4]) != "\x7fELF" {
		return errors.New("not an ELF file, or cut short")
	}
	number := binary.NativeEndian
	if kind := number.Uint16(image[16:]); kind != library {
		return fmt.Errorf("an ELF file of type %d, not a shared library", kind)
	}
	if image[4] != bits64 {
		return nil
	}
	// cut reports whether n bytes from first on are not all there.
	cut := func(first, n uint64) bool { return first+n < first || first+n > uint64(len(image)) }
	segments, sections := number.Uint64(image[32:]), number.Uint64(image[40:])
	count, bytes := uint64(number.Uint16(image[56:])), uint64(number.Uint16(image[54:]))
	if bytes < segment || cut(segments, count*bytes) || cut(sections, uint64(number.Uint16(image[58:]))*uint64(number.Uint16(image[60:]))) {
		return errors.New("cut short")
	}
	for i := range count {
		if entry := image[segments+i*bytes:]; cut(number.Uint64(entry[8:]), number.Uint64(entry[32:])) {
			return errors.New("cut short")
		}
	}
	return nil
}
