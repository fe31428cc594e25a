package unit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	const text = "#line 12 \"flux.c\"\nx = a * b + c;\n"
	key := Key(text, false, nil)
	if Key("#line 99 \"moved.c\"\nx = a * b + c;\n", false, nil) != key {
		t.Error("where the source is from changes the key")
	}
	for what, other := range map[string]string{
		"the text":     Key("x = a * b - c;\n", false, nil),
		"the rounding": Key(text, true, nil),
		"a flag":       Key(text, false, []string{"-O1"}),
	} {
		if other == key {
			t.Errorf("%s does not change the key", what)
		}
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for key, name := range map[string]string{"1": "update", "2": "flux", "3": "flux"} {
		if err := Write(dir, key, &Unit{Name: name, Text: "x", Flags: []string{"-O3"}}); err != nil {
			t.Fatal(err)
		}
	}
	units, keys, err := Read(dir)
	if err != nil || !slices.Equal(keys, []string{"2", "3", "1"}) || units["1"].Name != "update" || units["1"].Flags[0] != "-O3" {
		t.Errorf("%v, %v, %v", units, keys, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "4.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Read(dir); err == nil {
		t.Error("a damaged unit is no error")
	}
	if err := Write(filepath.Join(dir, "missing"), "5", &Unit{}); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}
