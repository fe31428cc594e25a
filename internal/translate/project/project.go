// Package project writes a project in C: the loops of a recorded run, readable, with its data, drivers that run them,
// and Makefile and CMake. There is no Go in it.
//
// Package recording has the run; the drivers are in the folder files.
package project

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/translate/recording"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/wholefile"
)

//go:embed files
var files embed.FS

// meaning are the flags that all code needs to compute what it computes in Go programs.
var meaning = []string{"-fwrapv", "-fno-math-errno", "-fno-trapping-math"}

// Project is a project that is to be written to a folder.
type Project struct {
	dir   string
	files *wholefile.Folder
}

// New prepares for a project, which finds out whether the folder is free, and writing is permitted. Discard must end that.
func New(dir string) (*Project, error) {
	if err := free(dir); err != nil {
		return nil, err
	}
	files, err := wholefile.NewFolder(dir)
	return &Project{dir, files}, err
}

// Discard leaves the folder as it was, unless the project has been written.
func (p *Project) Discard() { p.files.Discard() }

// Write writes the project of a program, from the recording in a folder.
func (p *Project) Write(name, from string) error {
	run, err := recording.Read(from)
	if err != nil {
		return err
	}
	texts, err := Texts(notInNames.ReplaceAllString(name, "_"), run)
	if err != nil {
		return err
	}
	written := map[string]bool{}
	write := func(path string, data []byte) error {
		written[path] = true
		return p.files.Write(path, data)
	}
	for path, text := range texts {
		if err := write(path, []byte(text)); err != nil {
			return err
		}
	}
	values, err := filepath.Glob(filepath.Join(from, "*.bin"))
	if err != nil {
		return err
	}
	for _, file := range values {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := write("data/"+filepath.Base(file), data); err != nil {
			return err
		}
	}
	old, err := others(p.dir, written)
	if err != nil {
		return err
	}
	return p.files.Replace(old)
}

// notInNames are what the names of programs cannot have in a Makefile.
var notInNames = regexp.MustCompile(`[^\w.-]+`)

// free returns an error for a folder that has something other than a project.
func free(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "index.txt")); err != nil {
		return fmt.Errorf("%s has other files, and no data/index.txt: name a folder that is new or empty", dir)
	}
	return nil
}

// others returns the files of an earlier project: those that are beside files of the new one in its folders.
func others(dir string, written map[string]bool) (old []string, err error) {
	folders := map[string]bool{}
	for p := range written {
		folders[path.Dir(p)] = true
	}
	delete(folders, ".") // where files of others may be
	for folder := range folders {
		entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(folder)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if p := path.Join(folder, e.Name()); !e.IsDir() && !written[p] {
				old = append(old, p)
			}
		}
	}
	return old, nil
}

// Texts returns all files of a project that are text, by path.
func Texts(name string, run *recording.Run) (map[string]string, error) {
	flags := slices.Clone(meaning)
	for _, c := range run.Codes {
		flags = append(flags, c.Flags...)
	}
	slices.Sort(flags)
	placed := strings.NewReplacer("@NAME@", name, "@FLAGS@", strings.Join(slices.Compact(flags), " "))
	texts := map[string]string{"data/index.txt": index(run)}
	err := fs.WalkDir(files, "files", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
		texts[strings.TrimPrefix(path, "files/")] = placed.Replace(string(data))
		return err
	})
	k := kernels{texts: texts}
	k.target("sequential", run.Codes, func(c recording.Code) *codegen.Program { return c.Sequential })
	k.target("openmp", run.Codes, func(c recording.Code) *codegen.Program { return c.Threads })
	devices(texts, "cuda", "cu", run.Codes, func(c recording.Code) recording.Kernels { return c.CUDA })
	devices(texts, "opencl", "cl", run.Codes, func(c recording.Code) recording.Kernels { return c.OpenCL })
	return texts, err
}

// kernels writes a file for each kernel, which loops share.
type kernels struct{ texts map[string]string }

// file returns the name of the file of a kernel.
func (k *kernels) file(name, text string) string {
	for n := 1; ; n++ {
		file := name + ".h"
		if n > 1 {
			file = fmt.Sprintf("%s_%d.h", name, n)
		}
		switch k.texts["kernels/"+file] {
		case "":
			k.texts["kernels/"+file] = text
			return file
		case text:
			return file
		}
	}
}

// target writes a file for each loop, and the master file that lists them.
func (k *kernels) target(name string, codes []recording.Code, of func(recording.Code) *codegen.Program) {
	var declared, slots, table strings.Builder
	for _, c := range codes {
		p := of(c)
		head, kernel, loop := p.Text[:p.Kernel[0]], p.Text[p.Kernel[0]:p.Kernel[1]], p.Text[p.Kernel[1]:]
		file := k.file(c.Name, "// The kernel at "+c.About+".\n\n"+strings.TrimSpace(unit.Plain(kernel))+"\n")
		symbol := "op2_" + name + "_" + c.Name
		text := strings.TrimRight(unit.Plain(head), "\n") + "\n#include \"../kernels/" + file + "\"\n\n" + unit.Plain(loop)
		text = renamed(text, p.Symbol, symbol)
		if p.Block != "" {
			text = renamed(text, p.Block, symbol+"_block")
		}
		k.texts[name+"/"+c.Name+".c"] = text
		fmt.Fprintf(&declared, "void %s(void **args);\n", symbol)
		fmt.Fprintf(&slots, "static const struct slot %s_slots[] = {", c.Name)
		for i, s := range p.Slots {
			if i > 0 {
				slots.WriteString(", ")
			}
			fmt.Fprintf(&slots, "{%s, %d}", slotNames[s.What], s.N)
		}
		slots.WriteString("};\n")
		fmt.Fprintf(&table, "\t{\"%s\", %s, %s_slots, %d},\n", c.Name, symbol, c.Name, len(p.Slots))
	}
	k.texts[name+"/loops.c"] = "// The loops of the target " + name + ", and what each of the args of their code points to.\n#include \"../driver/host.h\"\n\n" +
		declared.String() + "\n" + slots.String() + "\nconst struct code codes[] = {\n" + table.String() + "};\n"
}

// slotNames are those of struct slot in host.h, by the kinds of package codegen.
var slotNames = strings.Fields("RUNS COUNT DATA MAP CONST FAULT JOB BLOCKS ORDER TABLE ROWS COLUMNS PARTIAL AHEAD COMBINED")

// renamed replaces a name in C.
func renamed(text, from, to string) string {
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(from)+`\b`).ReplaceAllString(text, to)
}
