package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/wholefile"
	"github.com/go-op2/op2/internal/wisdom"
)

var wisdomActions = []string{"list", "explain", "export", "import", "forget"}

// wisdomCommand lists, explains, exports, imports or forgets what was learned about loops.
func wisdomCommand(c console, args []string) error {
	f := newFlags("wisdom", "")
	dir := f.String("dir", cacheDir(), "the `folder`")
	all := f.Bool("all", false, "forget: everything")
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "op2 wisdom [list | explain [LOOP] | export [FILE] | import FILE... | forget LOOP...] [flags]\n\n"+
			"LOOP is a part of the loop's name, or the first digits of its number.")
		f.PrintDefaults()
	}
	action := "list"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		action, args = args[0], args[1:]
	}
	var names []string // before the flags, as in op2 wisdom forget flux -dir cache
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		names, args = append(names, args[0]), args[1:]
	}
	if err := parseFlags(c, f, args); err != nil {
		return err
	}
	names = append(names, f.Args()...)
	if action == "list" && len(names) > 0 {
		return wrongUse(f, fmt.Errorf("unexpected argument %q: the action comes first", names[0]))
	}
	w := wisdom.Open(*dir, func(text string) { fmt.Fprintln(c.status, text) })
	switch action {
	case "list":
		return listWisdom(c.results, w)
	case "explain":
		return explainWisdom(c.results, w, names)
	case "export":
		return exportWisdom(c, w, names)
	case "import":
		return importWisdom(c.results, w, names)
	case "forget":
		return forgetWisdom(c.results, w, names, *all)
	}
	return wrongUse(f, fmt.Errorf("there is no action %q%s: it is one of %s", action, spell.DidYouMean(action, wisdomActions), strings.Join(wisdomActions, ", ")))
}

// shortHash is how many digits of a loop's number are shown.
const shortHash = 10

func listWisdom(out io.Writer, w *wisdom.Wisdom) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	all := w.All()
	if len(all) > 0 {
		fmt.Fprintln(t, "LOOP\tNUMBER\tMACHINE\tCLASS\tCHOICE\tTIME\tRIGOR\tFOUND")
	}
	for _, f := range all {
		fmt.Fprintf(t, "%s\t%.*s\t%s\t%s\t%s\t%s\t%s\t%s\n", f.Name, shortHash, f.Loop, f.Machine, f.Class, choiceText(f), ratioText(f), f.Rigor, f.When.Format(time.DateOnly))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d findings\n", len(all))
	return err
}

// choiceText returns what was chosen.
func choiceText(f wisdom.Finding) string {
	if f.Rigor == wisdom.Estimate {
		return "undecided"
	}
	return cmp.Or(f.Choice, "as estimated")
}

// ratioText returns the time of what was chosen in relation to the untuned loop's, with its confidence interval.
func ratioText(f wisdom.Finding) string {
	if t := f.Of(f.Choice); t != nil && f.Choice != "" && f.Rigor > wisdom.Estimate {
		return fmt.Sprintf("%.2f (%.2f to %.2f)", t.Ratio, t.Low, t.High)
	}
	return ""
}

// picked returns the findings about loops of these names, all if there are none.
func picked(w *wisdom.Wisdom, names []string) ([]wisdom.Finding, error) {
	all := w.All()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(f wisdom.Finding) bool { return isNamed(f, name) }) {
			return nil, fmt.Errorf("nothing is known about a loop %q\n  hint: op2 wisdom list shows the loops", name)
		}
	}
	return slices.DeleteFunc(all, func(f wisdom.Finding) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return isNamed(f, name) })
	}), nil
}

func isNamed(f wisdom.Finding, name string) bool {
	return strings.Contains(f.Name, name) || strings.HasPrefix(f.Loop, name)
}

func explainWisdom(out io.Writer, w *wisdom.Wisdom, names []string) error {
	found, err := picked(w, names)
	if err != nil {
		return err
	}
	for _, f := range found {
		fmt.Fprintf(out, "%s, number %.*s, %s\n  on %s with %s\n", f.Name, shortHash, f.Loop, f.Class, f.Machine, cmp.Or(f.Compiler, "no compiler"))
		more := ""
		if f.Breadth < 0 {
			more = "; more is to be tried"
		}
		fmt.Fprintf(out, "  %s, found on %s with rigor %s%s\n", choiceText(f), f.When.Format(time.DateOnly), f.Rigor, more)
		t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, tried := range f.Tried {
			switch {
			case tried.Refused != "":
				fmt.Fprintf(t, "    %s\trefused: %s\n", tried.Choice, tried.Refused)
			case tried.Times > 0:
				fmt.Fprintf(t, "    %s\t%.3f of the time (%.3f to %.3f), %d calls\n", tried.Choice, tried.Ratio, tried.Low, tried.High, tried.Times)
			default:
				fmt.Fprintf(t, "    %s\tundecided, %d calls\n", tried.Choice, len(tried.Open))
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func exportWisdom(c console, w *wisdom.Wisdom, names []string) error {
	switch len(names) {
	case 0:
		_, err := c.results.Write(w.Text())
		return err
	case 1:
		if err := wholefile.Write(names[0], func(out io.Writer) error {
			_, err := out.Write(w.Text())
			return err
		}); err != nil {
			return err
		}
		return c.wrote(names[0])
	}
	return errors.New("export: expected one file")
}

func importWisdom(out io.Writer, w *wisdom.Wisdom, names []string) error {
	if len(names) == 0 {
		return errors.New("import: which file?")
	}
	taken, given := 0, 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		from := wisdom.New(nil)
		from.Merge(text)
		if len(from.All()) == 0 {
			return fmt.Errorf("import: %s has no findings", name)
		}
		for _, f := range from.All() {
			given++
			if w.Add(f) {
				taken++
			}
		}
	}
	if err := w.Save(); err != nil {
		return err
	}
	w.Compact()
	_, err := fmt.Fprintf(out, "took %d of %d findings\n", taken, given)
	return err
}

func forgetWisdom(out io.Writer, w *wisdom.Wisdom, names []string, all bool) error {
	if len(names) == 0 && !all {
		return errors.New("forget: which loop?\n  hint: -all forgets everything")
	}
	found, err := picked(w, names)
	if err != nil {
		return err
	}
	for _, f := range found {
		w.Forget(f.Key)
	}
	if err := w.Save(); err != nil {
		return err
	}
	w.Compact()
	_, err = fmt.Fprintf(out, "forgot %d findings\n", len(found))
	return err
}
