// Package toolkit knows where CUDA's libraries are installed.
package toolkit

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Folders returns the existing folders among the usual places of CUDA's libraries: toolkits, and
// pip's wheels, given by their folders below NVIDIA's.
func Folders(wheels ...string) []string {
	var dirs []string
	add := func(patterns ...string) {
		for _, p := range patterns {
			found, _ := filepath.Glob(p)
			slices.Reverse(found) // by name, newer versions come later
			for _, dir := range found {
				if info, err := os.Stat(dir); err == nil && info.IsDir() && !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
	}
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if root := os.Getenv(name); root != "" {
			add(filepath.Join(root, "lib64"), filepath.Join(root, "lib"))
		}
	}
	add("/usr/local/cuda/lib64", "/usr/local/cuda-*/lib64", "/opt/cuda/lib64", "/usr/lib/"+multiarch())
	for _, dir := range packages() {
		for _, w := range wheels {
			add(filepath.Join(dir, "nvidia", w))
		}
	}
	return dirs
}

func multiarch() string {
	if runtime.GOARCH == "arm64" {
		return "aarch64-linux-gnu"
	}
	return "x86_64-linux-gnu"
}

// packages returns patterns for the folders of Python packages.
func packages() []string {
	dirs := filepath.SplitList(os.Getenv("PYTHONPATH"))
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(name); root != "" {
			dirs = append(dirs, filepath.Join(root, "lib/python3*/site-packages"))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".local/lib/python3*/site-packages"))
	}
	for _, root := range []string{"/usr/local/lib", "/usr/lib", "/opt/conda/lib"} {
		dirs = append(dirs, filepath.Join(root, "python3*/site-packages"), filepath.Join(root, "python3*/dist-packages"))
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" })
}
