package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// op2Module is the module that contains this command.
const op2Module = "github.com/go-op2/op2"

// showVersion prints the version of op2, and what it was built with and for.
func showVersion(c console, args []string) error {
	if err := parse(c, newFlags("version", ""), args); err != nil {
		return err
	}
	build, _ := debug.ReadBuildInfo()
	_, err := fmt.Fprint(c.results, describeVersion(build))
	return err
}

// describeVersion returns the version, the commit that it was built from if Go knows it, Go's own
// version, and the platform.
func describeVersion(build *debug.BuildInfo) string {
	var b strings.Builder
	fmt.Fprintf(&b, "op2 %s\n", versionOf(build))
	if revision := setting(build, "vcs.revision"); revision != "" {
		state := ""
		if setting(build, "vcs.modified") == "true" {
			state = ", modified"
		}
		fmt.Fprintf(&b, "commit %s of %s%s\n", revision, setting(build, "vcs.time"), state)
	}
	fmt.Fprintf(&b, "%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return b.String()
}

// op2Version returns the version of op2 in this command: "(devel)" if it was built from a folder.
func op2Version() string {
	build, _ := debug.ReadBuildInfo()
	return versionOf(build)
}

func versionOf(build *debug.BuildInfo) string {
	if build == nil || build.Main.Path != op2Module || build.Main.Version == "" {
		return "(devel)"
	}
	return build.Main.Version
}

// setting returns a setting of the build; "" if there is none of that name.
func setting(build *debug.BuildInfo, key string) string {
	if build == nil {
		return ""
	}
	for _, s := range build.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
