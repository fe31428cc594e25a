package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

//go:embed template
var templates embed.FS

// goVersion is the oldest version of Go that op2 supports.
const goVersion = "1.25.0"

// skeleton is the data for the templates of a module.
type skeleton struct {
	Name    string // of the folder and the command
	Module  string // module path
	Go      string
	Op2     string // module path of the library
	Version string // of op2; "" leaves the choice to go mod tidy
	Replace string // the folder that contains op2, as go.mod spells it; or ""

	Kind                   string // of program
	About, Kernels, Checks string
	Ranks                  bool     // it runs on several
	Mesh                   string   // the name of its mesh's file; "": it makes one
	Corners, Dim           int      // of the cells of the mesh
	Volume                 bool     // the cells are volumes
	Groups                 []string // of the mesh's boundary
	Mark                   bool     // the mesh has no groups, the program makes one
	Result                 string   // "draws heat.png"

	file string // the mesh's file
}

// newSkeleton returns a module of that path, whose folder is named for the last part of the path.
func newSkeleton(name, replace string) (*skeleton, error) {
	parts := strings.Split(name, "/")
	s := &skeleton{Name: parts[len(parts)-1], Module: name, Go: goVersion, Op2: op2Module}
	for _, part := range parts {
		if !pathElement.MatchString(part) || strings.HasSuffix(part, ".") {
			return nil, fmt.Errorf("%q is no name of a module: expected letters, digits, -, _ and ., as in heat or example.com/heat", name)
		}
	}
	switch first := s.Name[0]; {
	case token.IsKeyword(s.Name):
		return nil, fmt.Errorf("%q is no name of a module: it is a keyword of Go, and packages cannot have it", name)
	case first >= '0' && first <= '9':
		return nil, fmt.Errorf("%q is no name of a module: a letter comes first in names of Go, as in x%s", name, s.Name)
	}
	if slices.Contains(standard, parts[0]) {
		return nil, fmt.Errorf("%q is no name of a module: Go has packages of its own by that name", name)
	}
	if build, _ := debug.ReadBuildInfo(); build != nil && build.Main.Sum != "" { // a release, not built from a folder
		s.Version = versionOf(build)
	}
	if replace != "" {
		text, err := os.ReadFile(filepath.Join(replace, "go.mod"))
		if err != nil {
			return nil, fmt.Errorf("-replace: %w", err)
		}
		if !bytes.HasPrefix(text, []byte("module "+op2Module+"\n")) {
			return nil, fmt.Errorf("-replace %s: expected the module %s, go.mod has another", replace, op2Module)
		}
		dir, err := filepath.Abs(replace)
		if err != nil {
			return nil, fmt.Errorf("-replace: %w", err)
		}
		s.Replace = strconv.Quote(dir)
	}
	return s, nil
}

// pathElement matches a valid part of a module path.
var pathElement = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// standard lists the first path elements of Go's own packages.
var standard = strings.Fields(`archive bufio bytes cmp compress container context crypto database debug embed
	encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path
	plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode
	unique unsafe vendor weak`)

// write fills the templates, and copies the mesh.
func (s *skeleton) write(c console) error {
	for _, pattern := range []string{"template/*.tmpl", "template/" + s.Kind + "/*.tmpl"} {
		all, err := template.ParseFS(templates, pattern)
		if err != nil {
			return err
		}
		sorted := slices.SortedFunc(slices.Values(all.Templates()), func(a, b *template.Template) int { return strings.Compare(a.Name(), b.Name()) })
		for _, t := range sorted {
			if err := s.fill(c, t); err != nil {
				return err
			}
		}
	}
	if s.Mesh == "" {
		return nil
	}
	data, err := os.ReadFile(s.file)
	if err != nil {
		return err
	}
	return s.writeFile(c, s.Mesh, data)
}

// fill writes the file that a template is for.
func (s *skeleton) fill(c console, t *template.Template) error {
	file := strings.TrimSuffix(t.Name(), ".tmpl")
	if file == "gitignore" {
		file = ".gitignore"
	}
	var text bytes.Buffer
	if err := t.Execute(&text, s); err != nil {
		return err
	}
	data := text.Bytes()
	if path.Ext(file) == ".go" {
		var err error
		if data, err = format.Source(data); err != nil {
			return err
		}
	}
	return s.writeFile(c, file, data)
}

func (s *skeleton) writeFile(c console, file string, data []byte) error {
	if err := os.WriteFile(filepath.Join(s.Name, file), data, 0o666); err != nil {
		return err
	}
	return c.wrote(path.Join(s.Name, file))
}

// next says what to do with the new module.
func (s *skeleton) next() string {
	fetch := "fetches op2"
	switch {
	case s.Replace != "":
		fetch = "finds op2 in " + s.Replace
	case s.Version == "": // this command was built from a clone, which may be newer than what can be fetched
		fetch += "; before it, for a copy on this machine:\n                 #   go mod edit -replace " + s.Op2 + "=FOLDER"
	}
	return fmt.Sprintf(`Next:
  cd %s
  go mod tidy    # %s
  go test
  go run .       # %s
`, s.Name, fetch, s.Result)
}
