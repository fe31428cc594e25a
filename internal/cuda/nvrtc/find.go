package nvrtc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/cuda/toolkit"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/sorting"
)

// majors are the CUDA versions whose NVRTC is known to work, best first.
var majors = []string{"13", "12", "11.2"}

// names returns the library's possible names, the preferred major version first and later ones
// last, since a driver loads no code for later versions.
func names(prefer int) []string {
	sorted := slices.Clone(majors)
	if prefer > 0 {
		rank := func(version string) int {
			major, _, _ := strings.Cut(version, ".")
			n, _ := strconv.Atoi(major)
			if n > prefer {
				return n
			}
			return -n
		}
		sorting.By(sorted, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	}
	var all []string
	for _, version := range sorted {
		all = append(all, "libnvrtc.so."+version)
	}
	return append(all, "libnvrtc.so")
}

// search returns how to find a library.
func search(prefer int) native.Search {
	const variable = "OP2_NVRTC"
	return native.Search{
		What: "no NVRTC, the compiler of CUDA", Names: names(prefer), Variable: variable, Last: toolkit.Folders("cu13/lib", "cuda_nvrtc/lib"),
		Needs: []string{"libnvrtc-builtins.so*"},
		Hint:  "pip install nvidia-cuda-nvrtc-cu12, or the CUDA toolkit; " + variable + " names the library, or its folder",
	}
}
