package jit

import (
	"bufio"
	"os"
	"strings"
)

// cpuFields are the lines of /proc/cpuinfo that determine a processor's instructions, for the
// architectures Linux runs on. Clock rates and microcode revisions change between readings and are
// left out.
var cpuFields = map[string]bool{
	// x86
	"vendor_id": true, "cpu family": true, "model": true, "stepping": true, "flags": true,
	// ARM
	"CPU implementer": true, "CPU architecture": true, "CPU variant": true, "CPU part": true, "CPU revision": true, "Features": true,
	// RISC-V, POWER, s390, LoongArch
	"isa": true, "uarch": true, "mvendorid": true, "cpu": true, "revision": true, "features": true, "CPU Family": true, "Model Name": true,
}

// cpuIdentity returns the processor that -march=native stands for, the machine's first one, and what its maker calls it,
// if that is known. It does not read the rest of the file, which takes the kernel milliseconds to write on machines with
// many cores.
func cpuIdentity() (identity, brand string) {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return unknownCPU(), ""
	}
	defer file.Close()
	var all []string
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 0, 4096), 1<<20)
	for lines.Scan() {
		name, value, found := strings.Cut(lines.Text(), ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found && len(all) > 0 {
			break // the empty line after the first processor
		}
		if found && cpuFields[name] {
			all = append(all, name+"="+value)
		}
		if name == "model name" || name == "Model Name" {
			brand = value
		}
	}
	if len(all) == 0 {
		return unknownCPU(), ""
	}
	return strings.Join(all, "\n"), brand
}
