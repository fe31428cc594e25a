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

func TestOrderWrongUse(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none.dat")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"all"}, `op2 order: unexpected argument "all"`},
		{[]string{"-i", "0"}, "op2 order: mesh: naca0012 0 by 80: expected from 2 to 30000 cells along the airfoil, found 0"},
		{[]string{"-j", "0"}, "op2 order: mesh: naca0012 50 by 0: expected from 1 to 30000 layers of cells, found 0"},
		{[]string{"-mesh", none, "-j", "80"}, "op2 order: -j and -mesh: a mesh is either made or read"},
		{[]string{"-mesh", none}, "op2 order: mesh: open " + none + ": "},
	} {
		if _, err := output(t, append([]string{"order"}, c.args...)...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("op2 order %s: %v, not %q", strings.Join(c.args, " "), err, c.want)
		}
	}
}
