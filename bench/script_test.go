package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The script runs the programs in bin, and collects their output in one file.
func TestScript(t *testing.T) {
	script, err := os.ReadFile("gpu.sh")
	if err != nil {
		t.Fatal(err)
	}
	const found = "device: NVIDIA H200, CUDA 12.4, sm_90, 132 units, 150.0 GB, by the backend cuda"
	bench := "#!/bin/sh\nif [ \"$1\" = -describe ]; then echo '" + found + "'; else echo \"measured $*\"; fi\n"
	suite := "#!/bin/sh\necho \"--- PASS: TestConformance (1s)\"\necho \"    --- PASS: of $OP2_REQUIRE in $(basename $PWD)\"\necho PASS\n"
	for _, c := range []struct {
		name   string
		bin    map[string]string
		args   []string
		status int
		say    string   // the output
		file   []string // contents of the file, in this order; nil: no file
	}{
		{
			name: "not built", status: 2,
			say: "bin/conformance.test is not there: run bench/gpu.sh build where Go is, and copy bin/ here\n",
		}, {
			name: "unknown part", args: []string{"everything"}, status: 2,
			say: "Tests and measures a device",
		}, {
			name: "no device", status: 1,
			bin: map[string]string{"bench": "#!/bin/sh\necho backend cuda: no NVIDIA driver >&2\nexit 1\n", "conformance.test": suite, "cuda.test": suite},
			say: "nothing to measure: backend cuda: no NVIDIA driver\n",
		}, {
			name: "all", args: []string{"all", "-cells", "600"},
			bin: map[string]string{"bench": bench, "conformance.test": suite, "cuda.test": suite},
			say: "written: bench/results/",
			file: []string{
				"version: of a test", found, "== suite: OP2_REQUIRE=cuda", "'^(TestConformance|TestDevices|TestCalls)/^cuda'",
				"    --- PASS: of cuda in", "passed 2, failed 0, skipped 0", "== suite: bin/cuda.test", "passed 2",
				"OP2_TEST_CONFIGURATION=cuda/auto bin/conformance.test", "passed 2", "measured -devices -backend cuda -limit 270s -cells 600",
			},
		}, {
			name: "suite fails", args: []string{"suite"}, status: 1,
			bin:  map[string]string{"bench": bench, "conformance.test": "#!/bin/sh\necho '--- FAIL: TestConformance'\necho wrong\nexit 1\n", "cuda.test": suite},
			say:  "failed: suite",
			file: []string{"failed 1,", "failed with status 1", "wrong", "of which some fail, is in bench/results/"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			write := func(path, text string) {
				t.Helper()
				path = filepath.Join(root, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			write("bench/gpu.sh", string(script))
			write("internal/cuda/doc.go", "")
			if c.bin != nil {
				write("bin/VERSION", "of a test")
			}
			for name, text := range c.bin {
				write("bin/"+name, text)
			}
			sh, err := exec.LookPath("sh")
			if err != nil {
				t.Skip(err)
			}
			command := exec.Command(sh, append([]string{filepath.Join(root, "bench/gpu.sh")}, c.args...)...)
			for _, v := range os.Environ() {
				if !strings.HasPrefix(v, "OP2_") {
					command.Env = append(command.Env, v)
				}
			}
			out, _ := command.CombinedOutput()
			if status := command.ProcessState.ExitCode(); status != c.status || !strings.Contains(string(out), c.say) {
				t.Errorf("status %d, want %d, and %q in\n%s", status, c.status, c.say, out)
			}
			files, err := filepath.Glob(filepath.Join(root, "bench/results/*-nvidia-h200.txt"))
			if err != nil || (len(files) == 1) != (c.file != nil) {
				t.Fatalf("%d files of results, %v\n%s", len(files), err, out)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				rest := string(text)
				for _, want := range c.file {
					_, after, there := strings.Cut(rest, want)
					if !there {
						t.Fatalf("no %q, or too early, in\n%s", want, text)
					}
					rest = after
				}
			}
		})
	}
}
