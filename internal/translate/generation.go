package translate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/sorting"
)

// A generation is what machine code was made of: the C of the package, flags and compilers. Each file of code begins with
// the name of its own, and the manifest has the name that follows from the rest of the package: so files of two
// generations, as a merge may leave them, do not pass for one.

// generation returns the name of the generation that the C of a package, and what its manifest says of processors, are of.
func generation(files map[string][]byte, manifest []byte) string {
	h := sha256.New()
	for _, path := range sorting.Keys(files) {
		if strings.HasPrefix(path, "c/") {
			fmt.Fprintf(h, "%s %q\n", path, meaning(files[path]))
		}
	}
	for _, line := range made.FindAll(manifest, -1) {
		fmt.Fprintf(h, "%s\n", line)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// made matches what a manifest says of processors.
var made = regexp.MustCompile(`(?m)^// (?:Flags|Compiler) for .*$`)

// codeOf matches the architectures that a manifest says there are files for.
var codeOf = regexp.MustCompile(`(?m)^// Code of generation \w+: (.*)$`)

// filesOfCode returns the files for an architecture.
func filesOfCode(arch string) []string {
	return []string{"loops_" + arch + ".s", "loops_" + arch + "_decl.go", "register_" + arch + ".go"}
}

// mark makes a file begin with its generation.
func mark(file []byte, generation string) []byte {
	return bytes.Replace(file, []byte(Mark+"\n"), []byte(Mark+"\n// Generation "+generation+".\n"), 1)
}

// compareCode lists the files of code that are not of the generation of the rest of the package.
func compareCode(is map[string][]byte) (list []string) {
	manifest := is["manifest.go"]
	should := generation(is, manifest)
	var wanted []string
	m := codeOf.FindSubmatch(manifest)
	if m != nil {
		for _, arch := range strings.Split(string(m[1]), ", ") {
			wanted = append(wanted, filesOfCode(arch)...)
		}
	}
	for _, path := range wanted {
		if is[path] == nil {
			list = append(list, "missing: "+path)
		}
	}
	for _, path := range sorting.Keys(is) {
		switch {
		case !ofCode.MatchString(path):
		case m != nil && !slices.Contains(wanted, path):
			list = append(list, "superfluous: "+path)
		case !bytes.HasPrefix(is[path], []byte(Mark+"\n// Generation "+should+".\n")):
			list = append(list, "made of other C, or by other flags or another compiler: "+path)
		}
	}
	return list
}

// ofCode matches the paths of files of code.
var ofCode = regexp.MustCompile(`^(loops_\w+\.s|(loops|register)_(amd64|arm64)\w*\.go)$`)

// comparePTX lists the PTX that was made of other sources than those beside it.
func comparePTX(is map[string][]byte) (list []string) {
	for _, path := range sorting.Keys(is) {
		if source, ok := strings.CutSuffix(path, ofPTX); ok {
			if key := keyOf(is[path]); key == "" || key != keyOf(is[source+".cu"]) {
				list = append(list, "made of another source: "+path)
			}
		}
	}
	return list
}

// keyOf returns the key that a file says it is of.
func keyOf(file []byte) string {
	if m := ofKey.FindSubmatch(file); m != nil {
		return string(m[1])
	}
	return ""
}

var ofKey = regexp.MustCompile(`(?m)^// key (\w+)`)
