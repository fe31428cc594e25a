package main

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOrder(t *testing.T) {
	for _, how := range []string{"-maps=false", "-maps"} {
		path := filepath.Join(t.TempDir(), "order.png")
		out, status, err := outputs(t, "order", "-i", "8", "-j", "6", how, "-o", path)
		want := `cells           144
before          44 apart in the median, 138 at most
after           `
		if err != nil || !strings.HasPrefix(out, want) || status != "wrote "+path+"\n" {
			t.Errorf("error %v\n%s%s\nnot\n%s…", err, out, status, want)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if c, err := png.DecodeConfig(f); err != nil || c.Width != 1600 {
			t.Errorf("error %v, %d pixels wide", err, c.Width)
		}
	}
	out, err := output(t, "order", "-i", "8", "-j", "6", "-shuffle", "0", "-o", "")
	if err != nil || !strings.Contains(out, "\nbefore          1 apart in the median, 24 at most\n") {
		t.Errorf("error %v\n%s", err, out)
	}
}
