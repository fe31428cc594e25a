package vet_test

import (
	"go/token"
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/go-op2/op2/internal/vet"
)

// Each mistake of a program is found at the place of the comment that names it, and nothing else is.
func TestWrong(t *testing.T) { checkFolder(t, "./testdata/wrong", 14) }

// Of a command and all that it imports, it is known which consts are declared.
func TestConstsOfOtherPackages(t *testing.T) { checkFolder(t, "./testdata/command", 3) }

func checkFolder(t *testing.T, folder string, least int) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, folder)
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(loaded) > 0 {
		t.FailNow()
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		file   string
		number int
	}
	lineOf := func(p token.Pos) line {
		at := loaded[0].Fset.Position(p)
		return line{filepath.Base(at.Filename), at.Line}
	}
	wanted, found := map[line]string{}, map[line]bool{}
	want := regexp.MustCompile("// want [`\"](.*)[`\"]$")
	for _, f := range loaded[0].Syntax {
		for _, group := range f.Comments {
			for _, c := range group.List {
				if m := want.FindStringSubmatch(c.Text); m != nil {
					wanted[lineOf(c.Pos())] = m[1]
				}
			}
		}
	}
	if len(wanted) < least {
		t.Errorf("%d comments", len(wanted))
	}
	for _, d := range graph.Roots[0].Diagnostics {
		at := lineOf(d.Pos)
		if pattern, ok := wanted[at]; !ok || !regexp.MustCompile(pattern).MatchString(d.Message) {
			t.Errorf("%s:%d: %s", at.file, at.number, d.Message)
		}
		found[at] = true
	}
	for at, pattern := range wanted {
		if found[at] {
			continue
		}
		t.Errorf("%s:%d: %s is not found", at.file, at.number, pattern)
	}
}
