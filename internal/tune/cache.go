package tune

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// CoreCache returns the bytes of the cache that a core has for itself, or shares with its hardware
// threads: the second level; 1 MiB where the system does not tell.
var CoreCache = sync.OnceValue(func() int { return coreCache("/sys/devices/system/cpu/cpu0/cache") })

func coreCache(dir string) int {
	found, _ := filepath.Glob(filepath.Join(dir, "index*"))
	for _, index := range found {
		read := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(index, name))
			return strings.TrimSpace(string(text))
		}
		if read("level") != "2" || read("type") == "Instruction" {
			continue
		}
		size, unit := read("size"), 1
		for suffix, bytes := range map[string]int{"K": 1 << 10, "M": 1 << 20} {
			if number, is := strings.CutSuffix(size, suffix); is {
				size, unit = number, bytes
			}
		}
		if n, err := strconv.Atoi(size); err == nil && n > 0 {
			return n * unit
		}
	}
	return 1 << 20
}
