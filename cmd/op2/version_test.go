package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	platform := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "f00"}, {Key: "vcs.time", Value: "2026-07-01T12:00:00Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		build *debug.BuildInfo
		want  string
	}{
		{nil, "op2 (devel)\n" + platform},
		{&debug.BuildInfo{}, "op2 (devel)\n" + platform},
		{&debug.BuildInfo{Main: debug.Module{Path: op2Module, Version: "v1.2.3"}}, "op2 v1.2.3\n" + platform},
		{&debug.BuildInfo{Main: debug.Module{Path: op2Module, Version: "(devel)"}, Settings: vcs("false")}, "op2 (devel)\ncommit f00 of 2026-07-01T12:00:00Z\n" + platform},
		{&debug.BuildInfo{Main: debug.Module{Path: op2Module}, Settings: vcs("true")}, "op2 (devel)\ncommit f00 of 2026-07-01T12:00:00Z, modified\n" + platform},
		{&debug.BuildInfo{Main: debug.Module{Path: "example.com/other", Version: "v9.0.0"}}, "op2 (devel)\n" + platform},
	} {
		if got := describeVersion(c.build); got != c.want {
			t.Errorf("got:\n%swant:\n%s", got, c.want)
		}
	}
	for _, arg := range []string{"version", "-version", "--version"} {
		if out, err := output(t, arg); err != nil || out == "" {
			t.Errorf("op2 %s: %v, %q", arg, err, out)
		}
	}
}
