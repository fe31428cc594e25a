package checkpoint

import (
	"bufio"
	"fmt"
	"os"
)

// available returns the bytes of memory that programs on this machine can still have.
func available() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var kilobytes int64
		if _, err := fmt.Sscanf(in.Text(), "MemAvailable: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}
