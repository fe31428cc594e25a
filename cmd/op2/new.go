package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// makeModule creates a folder with a small program that uses op2, its test, and the files of a
// module.
func makeModule(c console, args []string) error {
	f := newFlags("new", "NAME")
	replace := f.String("replace", "", "use op2 as it is in this `folder`, instead of a released version")
	kind := f.String("kind", "", "the kind of program: heat, the default, fem, the default for a mesh, fv or particles")
	meshFile := f.String("mesh", "", "the `file` of a mesh for the program, which names its groups")
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		err := fmt.Errorf("expected one name, found %d", f.NArg())
		for _, arg := range f.Args()[min(1, f.NArg()):] {
			if strings.HasPrefix(arg, "-") {
				err = fmt.Errorf("%s comes after the name: flags come before it", arg)
				break
			}
		}
		return wrongUse(f, err)
	}
	s, err := newSkeleton(f.Arg(0), *replace)
	if err == nil {
		err = s.choose(*kind, *meshFile)
	}
	if err != nil {
		return wrongUse(f, err)
	}
	if err := os.Mkdir(s.Name, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%s already exists", s.Name)
		}
		return err
	}
	if err := s.write(c); err != nil {
		os.RemoveAll(s.Name)
		return err
	}
	_, err = io.WriteString(c.results, s.next())
	return err
}
