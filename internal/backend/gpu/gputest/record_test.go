package gputest

import (
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/device"
)

// still is a device that compiles nothing.
type still struct{ device.Device }

func (still) Build(device.Source) device.Program { return nil }

func TestRecord(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(SourcesFolder, dir)
	r := &recorder{still{}}
	for _, s := range []device.Source{
		{Name: "b", Text: "text"}, {Name: "a", Text: "text", Flags: []string{"--fmad=false"}}, {Name: "b", Text: "text"}, {Name: "b", Text: "text 2"},
	} {
		r.Build(s)
	}
	want, err := sources("")
	if err != nil || len(want) != 3 || want[0].Name != "a" || !slices.Equal(want[0].Flags, []string{"--fmad=false"}) {
		t.Fatalf("%+v, %v", want, err)
	}
	recorded.sources = nil
	got, err := sources(dir)
	if err != nil || !slices.EqualFunc(got, want, func(a, b device.Source) bool {
		return a.Name == b.Name && a.Text == b.Text && slices.Equal(a.Flags, b.Flags)
	}) {
		t.Errorf("%+v, %v", got, err)
	}
}
