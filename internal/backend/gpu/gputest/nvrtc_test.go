package gputest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/device"
)

// The golden files also compile.
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
	text := func(most, n int) string {
		var b strings.Builder
		for _, j := range jobs(sources[:n], most) {
			b.WriteString(j.Source.Name + j.Arch[3:] + " ")
		}
		return b.String()
	}
	for _, test := range []struct {
		most, n int
		want    string
	}{
		{12, 0, ""},
		{12, 2, "a70 b80 "},
		{12, 26, "a70 c80 e90 g70 i80 k90 n70 p80 r90 t70 v80 x90 "},
		{0, 2, "a70 a80 a90 b70 b80 b90 "},
	} {
		if got := text(test.most, test.n); got != test.want {
			t.Errorf("%d of %d: %s, want %s", test.most, test.n, got, test.want)
		}
	}
}
