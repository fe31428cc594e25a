package checkpoint

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
)

// available returns the bytes of memory that this program can still have: of those of the machine, and of those that its
// control group may use.
func available() int64 {
	n := availableHere()
	if own, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		n = min(n, leftInGroups("/sys/fs/cgroup", string(own), n))
	}
	return n
}

// leftInGroups returns the bytes that the limits of control groups of version 2 leave, given what /proc/self/cgroup
// says; without limits, n. Files in memory that the kernel can drop do not count as used.
func leftInGroups(root, own string, n int64) int64 {
	for line := range strings.Lines(own) {
		group, is := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for ; is; group = path.Dir(group) {
			at := func(name string) string { return path.Join(root, group, "memory."+name) }
			limit, limited := numberIn(at("max"))
			used, known := numberIn(at("current"))
			if limited && known {
				stat, _ := os.ReadFile(at("stat"))
				for figure := range strings.Lines(string(stat)) {
					var files int64
					if _, err := fmt.Sscanf(figure, "inactive_file %d", &files); err == nil {
						used -= files
					}
				}
				n = max(0, min(n, limit-used))
			}
			is = group != "/" && group != "."
		}
	}
	return n
}

// numberIn returns the number in a file, and whether it has one.
func numberIn(file string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// availableHere returns the bytes of memory that programs on this machine can still have.
func availableHere() int64 {
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
