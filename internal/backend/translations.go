package backend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/translated"
)

// Translations counts the loops of a runtime whose code was translated ahead of time, and names the others.
type Translations struct {
	Found  int
	missed []string
}

// Miss takes note of a loop whose code is in none of the packages, those of the program that have code for place:
// "this processor". It returns an error if the configuration demands it.
func (t *Translations) Miss(name string, packages []translated.Package, place string, c *Config) error {
	if len(packages) > 0 && !c.OnlyTranslated && !slices.Contains(t.missed, name) {
		t.missed = append(t.missed, name)
	}
	if !c.OnlyTranslated {
		return nil
	}
	if len(packages) == 0 {
		return fmt.Errorf("%s is not translated: the program contains no translated code for %s\n  hint: op2 translate writes a package of it to import, and OP2_REQUIRE=translated demands it", name, place)
	}
	var paths []string
	for _, p := range packages {
		paths = append(paths, p.Path)
	}
	return fmt.Errorf("%s is not translated as it is now, in %s\n  hint: run go generate, or op2 translate; OP2_REQUIRE=translated demands it", name, strings.Join(paths, " or "))
}

// Forgive makes all that is found and missed until the result is called not count: it is only tried.
func (t *Translations) Forgive() (until func()) {
	found, missed := t.Found, slices.Clone(t.missed)
	return func() { t.Found, t.missed = found, missed }
}

// Warn names the loops that were missed, once, and says what happened to them: "compiled when the program ran".
func (t *Translations) Warn(then string, c *Config) {
	if len(t.missed) == 0 || c.Warn == nil || c.Translate != "" {
		return
	}
	c.Warn(fmt.Sprintf("%d of %d loops are not translated as they are now, and were %s: %s; run go generate", len(t.missed), t.Found+len(t.missed), then, strings.Join(t.missed, ", ")))
	t.missed = nil
}
