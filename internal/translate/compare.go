package translate

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/translate/compile"
)

// Compare lists the differences between a package as it is and as Generate would make it, without compiling anything: a
// line for each target, and each file of C. Code is compared with the C of the package itself.
func Compare(is map[string][]byte, in Input) []string {
	return slices.Concat(compareTargets(string(is["manifest.go"]), in.Targets), compareTexts(is, Texts(in)), compareCode(is), comparePTX(is))
}

// compareTargets compares the targets that a manifest has, and their flags, with those that it should have.
func compareTargets(manifest string, targets []compile.Target) (list []string) {
	had := map[string]string{}
	for _, m := range targetFlags.FindAllStringSubmatch(manifest, -1) {
		had[m[1]] = m[2]
	}
	for _, t := range targets {
		switch flags, there := had[t.Level]; {
		case !there:
			list = append(list, "missing: code for "+t.Level)
		case flags != flagsOf(t):
			list = append(list, "other flags: code for "+t.Level)
		}
		delete(had, t.Level)
	}
	for _, level := range slices.Sorted(maps.Keys(had)) {
		list = append(list, "superfluous: code for "+level)
	}
	return list
}

// targetFlags matches what a manifest says of each target.
var targetFlags = regexp.MustCompile(`(?m)^// Flags for (\S+): (.*)$`)

// flagsOf returns the flags for all code of a target, beside those of each unit, as GCC takes them.
func flagsOf(t compile.Target) string {
	return strings.Join(append(t.Flags(jit.GCC), expand), " ")
}

// compareTexts compares the C, and the sources for devices.
func compareTexts(is, would map[string][]byte) (list []string) {
	for _, path := range slices.Sorted(maps.Keys(would)) {
		text, there := is[path]
		switch {
		case !there && path != libmFile:
			list = append(list, "missing: "+path)
		case !there || bytes.Equal(meaning(text), meaning(would[path])):
		case bytes.Equal(withoutFlags(text), withoutFlags(would[path])):
			list = append(list, "other flags: "+path)
		default:
			list = append(list, "changed: "+path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(is)) {
		if _, there := would[path]; !there && isText(path) {
			list = append(list, "superfluous: "+path)
		}
	}
	return list
}

// isText reports whether a file is among those that Texts returns.
func isText(path string) bool {
	return strings.HasPrefix(path, "c/") || strings.HasPrefix(path, deviceFolder) && !strings.HasSuffix(path, ofPTX)
}

// meaning returns C without the line that says where the kernel is, which need not be generated again when it moves.
func meaning(text []byte) []byte { return at.ReplaceAll(text, nil) }

// withoutFlags returns the meaning without the flags, and the key, which depends on them.
func withoutFlags(text []byte) []byte { return flags.ReplaceAll(meaning(text), nil) }

var (
	at    = regexp.MustCompile(`(?m)^// kernel at .*\n`)
	flags = regexp.MustCompile(`(?m)^// key .*; flags: .*\n`)
)
