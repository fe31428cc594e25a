package gputest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/device"
)

// The texts that lie there to be read.
func TestGoldenTexts(t *testing.T) {
	files, err := filepath.Glob("../../../codegen/testdata/device/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var sources []device.Source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, device.Source{Name: strings.TrimSuffix(filepath.Base(file), ".cu"), Text: string(text)})
	}
	check(t, sources)
}

func TestJobs(t *testing.T) {
	var sources []device.Source
	for _, name := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		sources = append(sources, device.Source{Name: name})
	}
	text := func(heavy bool, n int) string {
		var b strings.Builder
		for _, j := range jobs(sources[:n], heavy) {
			b.WriteString(j.Source.Name + j.Arch[3:] + " ")
		}
		return b.String()
	}
	for _, test := range []struct {
		heavy bool
		n     int
		want  string
	}{
		{false, 0, ""},
		{false, 2, "a70 b80 "},
		{false, 26, "a70 c80 e90 g70 i80 k90 n70 p80 r90 t70 v80 x90 "},
		{true, 2, "a70 a80 a90 b70 b80 b90 "},
	} {
		if got := text(test.heavy, test.n); got != test.want {
			t.Errorf("%v, %d: %s, want %s", test.heavy, test.n, got, test.want)
		}
	}
}
