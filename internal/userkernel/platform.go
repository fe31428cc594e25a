package userkernel

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/version"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// The names of systems and processors that select files by their names, as package go/build knows them. That package
// itself takes as long to compile as all of this one's other imports together.
var (
	systems    = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")
	others     = []string{"js", "nacl", "plan9", "wasip1", "windows", "zos"} // those that are not Unix
	processors = strings.Fields("386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc " +
		"ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")
)

// platform is what a program is built for.
type platform struct {
	system, processor string
	tags              []string // others that are set
}

// thisPlatform returns the platform of this program.
func thisPlatform() platform {
	p := platform{runtime.GOOS, runtime.GOARCH, []string{runtime.Compiler}}
	built, _ := debug.ReadBuildInfo()
	for i := 0; built != nil && i < len(built.Settings); i++ {
		switch s := built.Settings[i]; {
		case s.Key == "-tags":
			p.tags = append(p.tags, strings.Split(s.Value, ",")...)
		case s.Key == "CGO_ENABLED" && s.Value == "1":
			p.tags = append(p.tags, "cgo")
		}
	}
	return p
}

// compiles reports whether a file belongs to the program on this platform, by its name and its line //go:build.
func (p platform) compiles(name string, text []byte) bool {
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return false
	}
	name, _, _ = strings.Cut(name, ".")
	_, ends, _ := strings.Cut(name, "_")
	words := strings.Split(ends, "_")
	last := words[len(words)-1]
	if slices.Contains(processors, last) {
		if last != p.processor {
			return false
		}
		last = words[max(0, len(words)-2)]
	}
	if slices.Contains(systems, last) && !p.has(last) {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return true // which the front end reports
	}
	for _, group := range file.Comments {
		for _, line := range group.List {
			if line.Pos() < file.Package && constraint.IsGoBuild(line.Text) {
				expr, err := constraint.Parse(line.Text)
				return err == nil && expr.Eval(p.has)
			}
		}
	}
	return true
}

// has reports whether a tag is set.
func (p platform) has(tag string) bool {
	switch {
	case tag == p.system, tag == p.processor, slices.Contains(p.tags, tag):
		return true
	case tag == "unix":
		return !slices.Contains(others, p.system)
	case p.system == "android" && tag == "linux", p.system == "illumos" && tag == "solaris", p.system == "ios" && tag == "darwin":
		return true
	}
	_, lang, _ := strings.Cut(runtime.Version(), "go") // there are "go1.26.1 X:name" and "devel go1.27-name" as well
	lang, _, _ = strings.Cut(lang, " ")
	return strings.HasPrefix(tag, "go1.") && version.Lang(tag) == tag && version.Compare(tag, "go"+lang) <= 0
}
