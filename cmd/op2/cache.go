package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/spell"
)

// cacheCommand lists, prunes or clears the compiled code on disk.
func cacheCommand(c console, args []string) error {
	f := newFlags("cache", "")
	dir := f.String("dir", cacheDir(), "the `folder`")
	age := f.String("older", "30d", "prune: what was not used for this `time`, as 36h or 30d")
	asJSON := jsonFlag(f)
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "op2 cache [list | prune | clear] [flags]")
		f.PrintDefaults()
	}
	action := "list"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		action, args = args[0], args[1:]
	}
	if err := parse(c, f, args); err != nil {
		return err
	}
	switch action {
	case "list":
		return listCache(c.results, *dir, *asJSON)
	case "prune":
		d, err := parseAge(*age)
		if err != nil {
			return err
		}
		n, size, err := jit.Prune(*dir, d)
		return removed(c.results, *dir, n, size, err)
	case "clear":
		n, size, err := jit.Clear(*dir)
		return removed(c.results, *dir, n, size, err)
	}
	return wrongUse(f, fmt.Errorf("there is no action %q%s: it is one of list, prune, clear", action, spell.DidYouMean(action, []string{"list", "prune", "clear"})))
}

func listCache(out io.Writer, dir string, asJSON bool) error {
	entries, err := jit.Entries(dir)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(out, append([]jit.Entry{}, entries...))
	}
	total := int64(0)
	for _, e := range entries {
		total += e.Size
	}
	fmt.Fprintf(out, "%d entries, %.1f kB in %s\n", len(entries), float64(total)/1e3, dir)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, e := range entries {
		state := e.Compiler
		if !e.OK {
			state = "damaged, or of another version: will be compiled again"
		}
		fmt.Fprintf(t, "%s\t%s\t%.1f kB\t%s\t%s\n", e.Name, e.Key, float64(e.Size)/1e3, e.LastUse.Format(time.DateOnly), state)
	}
	return t.Flush()
}

func removed(out io.Writer, dir string, n int, size int64, err error) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "removed %d entries, %.1f kB, from %s\n", n, float64(size)/1e3, dir)
	return err
}

// parseAge parses a duration like time.ParseDuration, which may also be in days.
func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseFloat(days, 64); err == nil && n >= 0 {
			return time.Duration(n * 24 * float64(time.Hour)), nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("-older %s: expected a time, as 36h or 30d", s)
	}
	return d, nil
}

// cacheDir returns the folder of compiled code; "" if there is none.
func cacheDir() string {
	if dir := os.Getenv("OP2_CACHE_DIR"); dir != "" {
		return dir
	}
	dir, err := jit.DefaultCacheDir()
	if err != nil {
		return ""
	}
	return dir
}
