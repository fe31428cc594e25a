package jit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// A key identifies a compiled unit by everything that determines its machine code.
type key [sha256.Size]byte

// shortDigits is how much of a key, in hexadecimal, goes into file names: 128 bits. The file holds the whole key.
const shortDigits = 32

func (k key) String() string { return hex.EncodeToString(k[:]) }
func (k key) short() string  { return k.String()[:shortDigits] }

// Digest returns the SHA-256 of parts. Each is preceded by its length, so that moving a character from
// one part to the next gives another digest.
func Digest(parts ...string) [sha256.Size]byte { return newKey(parts...) }

func newKey(parts ...string) (k key) {
	h := sha256.New()
	var length [8]byte
	for _, part := range parts {
		binary.LittleEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write([]byte(part))
	}
	h.Sum(k[:0])
	return k
}

// compilerVariables are the environment variables that change what a compiler produces from the
// same arguments: where gcc and clang look for headers, libraries and their own parts, and which
// compiler an MPI wrapper calls.
var compilerVariables = []string{
	"CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "LD_RUN_PATH",
	"CCC_OVERRIDE_OPTIONS", "SDKROOT", "MACOSX_DEPLOYMENT_TARGET",
	"OMPI_CC", "OMPI_CFLAGS", "OMPI_CPPFLAGS", "OMPI_LDFLAGS", "OMPI_LIBS", "MPICH_CC", "MPICC_PROFILE",
}

// pickVariables returns name=value for each of names that environ sets; the last setting counts.
func pickVariables(environ, names []string) []string {
	var picked []string
	for _, name := range names {
		for i := len(environ) - 1; i >= 0; i-- {
			if strings.HasPrefix(environ[i], name+"=") {
				picked = append(picked, environ[i])
				break
			}
		}
	}
	return picked
}

// maxNameLength limits the readable part of a file name.
const maxNameLength = 40

// fileName makes a unit's name safe for a file name and for a compiler's argument.
func fileName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, name)
	if clean == "" {
		return "unit"
	}
	return clean[:min(len(clean), maxNameLength)]
}
