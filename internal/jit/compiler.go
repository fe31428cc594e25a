package jit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/sorting"
)

// The families of compilers that are distinguished.
const (
	GCC     = "gcc"
	Clang   = "clang"
	Unknown = "unknown"
)

// A Compiler is a C compiler that was found.
type Compiler struct {
	Path    string   // absolute, as found: not resolved through symbolic links
	Args    []string // what precedes all other arguments, such as gcc in "ccache gcc"
	Version string   // the first line that it prints for --version; "" if none
	Family  string   // GCC, Clang or Unknown
}

// String returns the path and the version line.
func (c Compiler) String() string {
	command := strings.Join(append([]string{c.Path}, c.Args...), " ")
	if c.Version == "" {
		return command
	}
	return command + " (" + c.Version + ")"
}

// findCompiler looks for the compiler called cc, or for any if cc is empty. It does not query the
// version yet.
func findCompiler(cc string) (Compiler, error) {
	if cc == "" {
		return findAnyCompiler()
	}
	path, err := exec.LookPath(cc)
	var args []string
	if fields := strings.Fields(cc); err != nil && len(fields) > 1 {
		if first, firstErr := exec.LookPath(fields[0]); firstErr == nil {
			path, args, err = first, fields[1:], nil
		}
	}
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return Compiler{}, notFound(cc, err)
	}
	return Compiler{Path: path, Args: args}, nil
}

func findAnyCompiler() (Compiler, error) {
	for path := range compilers {
		return Compiler{Path: path}, nil
	}
	return Compiler{}, &native.NotFoundError{
		What: "no C compiler", Names: []string{"gcc", "clang", "gcc-NN", "clang-NN", "cc"},
		Where: []string{native.ProgramPath()}, Hint: installHint(runtime.GOOS),
	}
}

// notFound returns the error about a compiler that was asked for by name.
func notFound(cc string, err error) error {
	missing := &native.NotFoundError{Hint: "without OP2_CC and op2.WithCompiler the first of gcc, clang and cc is used"}
	if strings.ContainsRune(cc, '/') || !errors.Is(err, exec.ErrNotFound) {
		missing.What, missing.Err = fmt.Sprintf("C compiler %q cannot be used", cc), innermost(err)
	} else {
		missing.What, missing.Where = fmt.Sprintf("no C compiler called %q", cc), []string{native.ProgramPath()}
	}
	return missing
}

func installHint(goos string) string {
	switch goos {
	case "darwin":
		return "install one: xcode-select --install"
	case "linux":
		return "install one: apt install gcc (Debian, Ubuntu), dnf install gcc (Fedora, RHEL)"
	}
	return "install gcc or clang"
}

// compilers passes the paths of all compilers in PATH to yield, the preferred one first.
func compilers(yield func(path string) bool) {
	// Listing the folders of PATH costs a millisecond, so it comes last, for machines that only
	// have a numbered compiler.
	for _, names := range []func() []string{
		func() []string { return []string{"gcc", "clang"} },
		func() []string { return numbered("gcc") },
		func() []string { return numbered("clang") },
		func() []string { return []string{"cc"} },
	} {
		for _, name := range names() {
			if path, err := exec.LookPath(name); err == nil && filepath.IsAbs(path) && !yield(path) {
				return
			}
		}
	}
}

// OtherCompilers returns the compilers to try if one that was found without a name does not work: each
// program once.
func OtherCompilers(failed Compiler) []string {
	var others, files []string
	for path := range compilers {
		file, err := filepath.EvalSymlinks(path)
		if err != nil {
			file = path
		}
		if path != failed.Path && !slices.Contains(files, file) {
			others = append(others, path)
		}
		files = append(files, file)
	}
	return others
}

var numberedName = regexp.MustCompile(`^(gcc|clang)-([0-9]+)$`)

// numbered lists the programs in PATH called name-NN, newest first.
func numbered(name string) []string {
	newest := map[string]int{}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		found, _ := os.ReadDir(dir)
		for _, f := range found {
			if m := numberedName.FindStringSubmatch(f.Name()); m != nil && m[1] == name {
				newest[f.Name()], _ = strconv.Atoi(m[2])
			}
		}
	}
	names := make([]string, 0, len(newest))
	for n := range newest {
		names = append(names, n)
	}
	sorting.By(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(newest[b], newest[a]), strings.Compare(a, b))
	})
	return names
}

// identity identifies the program by its file: an updated compiler gets a new identity.
func (c Compiler) identity() []string {
	parts := append([]string{c.Path}, c.Args...)
	file, err := filepath.EvalSymlinks(c.Path)
	if err != nil {
		file = c.Path
	}
	if info, err := os.Stat(file); err == nil {
		parts = append(parts, file, strconv.FormatInt(info.Size(), 10), strconv.FormatInt(info.ModTime().UnixNano(), 10))
	}
	return parts
}

const (
	// versionLasts is how long an answer to --version is valid. The file of a wrapper (ccache,
	// mpicc) does not change when the compiler behind it does.
	versionLasts = 24 * time.Hour
	// versionLimit is how long a compiler may take to print its version.
	versionLimit = 30 * time.Second
)

// askVersion fills in the version and the family, from the cache if the same program answered
// recently. A program that does not answer is no error yet: compiling will show.
func (c *Compiler) askVersion(ctx context.Context, environ []string, cache store, now time.Time) {
	parts := append([]string{"version"}, c.identity()...)
	parts = append(parts, pickVariables(environ, compilerVariables)...)
	k := newKey(parts...)
	file := cacheFile(filepath.Base(c.Path), k, compilerSuffix)
	m, text, ok := cache.read(file, k)
	if age := now.Sub(m.Checked); !ok || age > versionLasts || age < -versionLasts {
		ctx, cancel := context.WithTimeout(ctx, versionLimit)
		defer cancel()
		cmd := exec.CommandContext(ctx, c.Path, append(slices.Clone(c.Args), "--version")...)
		cmd.Env = append(slices.Clone(environ), "LC_ALL=C")
		cmd.WaitDelay = time.Second
		answer := cappedBuffer{full: cancel}
		cmd.Stdout = &answer
		if err := runApart(cmd); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
			c.Family = Unknown
			return
		}
		text = []byte(answer.String())
		// If this cannot be written, the first compilation reports it.
		_ = cache.write(file, k, metadata{Name: filepath.Base(c.Path), Compiler: c.Path, Checked: now}, text)
	}
	c.Version, c.Family = parseVersion(string(text))
}

func parseVersion(text string) (line, family string) {
	line, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	switch {
	case strings.Contains(line, "clang"):
		return line, Clang
	case strings.Contains(line, "gcc") || strings.Contains(text, "Free Software Foundation"):
		return line, GCC
	}
	return line, Unknown
}

// innermost returns the reason alone, without the operation and the path.
func innermost(err error) error {
	for {
		var execErr *exec.Error
		var pathErr *fs.PathError
		var linkErr *os.LinkError
		switch {
		case errors.As(err, &execErr):
			err = execErr.Err
		case errors.As(err, &pathErr):
			err = pathErr.Err
		case errors.As(err, &linkErr):
			err = linkErr.Err
		default:
			return err
		}
	}
}
