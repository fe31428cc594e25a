package link

import "testing"

func TestParseStackUse(t *testing.T) {
	o := Object{Stack: ParseStackUse("s.c:3:41:helper\t8\tstatic\ns.c:8:9:fill.constprop\t24\tstatic\ns.c:8:9:fill.constprop\t40\tstatic\n" +
		"s.c:16:6:bounded\t16\tdynamic,bounded\ns.c:17:vla\t40\tdynamic\n")}
	for name, want := range map[string]StackUse{"helper": {8, false}, "fill.constprop.3": {40, false}, "bounded": {16, false}, "vla": {40, true}} {
		if got, ok := o.use(name); !ok || got != want {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, want)
		}
	}
	if _, ok := o.use("other"); ok {
		t.Error("there is no use of other")
	}
}
