package choice

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/go-op2/op2/internal/tune"
)

// all has each choice.
var all = Choices{Block: 96, Threads: 3, Schedule: tune.Dynamic, SIMD: tune.SIMDOn, Width: 4, Compiler: "gcc -m64", HostFlags: "-O2 '-DA=b c'",
	Strategy: tune.Staged, Layout: tune.SoA, Group: 1024, PerItem: 2, DeviceFlags: "-Xptxas -dlcm=cg", Chains: tune.Tile, Tile: 65536, NoAtomics: true}

const allText = `block=96 threads=3 schedule=dynamic simd=on width=4 cc='gcc -m64' cflags='-O2 '\''-DA=b c'\''' strategy=staged layout=soa group=1024 items=2 deviceflags='-Xptxas -dlcm=cg' chains=tile tile=65536 noatomics`

// Each field of Choices is a Field, or a limit.
func TestAllFields(t *testing.T) {
	v := reflect.ValueOf(all)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test lacks %s", v.Type().Field(i).Name)
		}
	}
	if got, want := v.NumField(), len(Fields())+1; got != want {
		t.Errorf("%d fields, want %d", got, want)
	}
	data, err := json.Marshal(all)
	var names map[string]any
	if err != nil || json.Unmarshal(data, &names) != nil {
		t.Fatal(err)
	}
	for _, f := range Fields() {
		if _, ok := names[f.String()]; !ok {
			t.Errorf("JSON has another name for %s: %s", f, data)
		}
	}
}

func TestText(t *testing.T) {
	if got := all.String(); got != allText {
		t.Errorf("got  %s\nwant %s", got, allText)
	}
	for _, c := range []Choices{{}, all, {Block: 7}, {Layout: tune.AoS, NoAtomics: true}} {
		if got, err := Parse(c.String()); got != c || err != nil {
			t.Errorf("%s is read as %s (%v)", c, got, err)
		}
		data, err := json.Marshal(c)
		var got Choices
		if err != nil || json.Unmarshal(data, &got) != nil || got != c {
			t.Errorf("%s is read as %s (%v)", data, got, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"blok=7":         `"blok" is no choice of a loop: expected block, threads, schedule, simd, width, cc, cflags, strategy, layout, group, items, deviceflags, chains or tile (did you mean "block"?)`,
		"block":          "block has no value",
		"block=many":     "block=many: expected a number",
		"block=0":        "blocks of 0 elements: at least one is needed",
		"group=2000":     "groups of 2000 work-items: expected 1 to 1024",
		"items=65":       "65 elements for each work-item: expected 1 to 64",
		"width=3":        "packs of 3 elements: expected 2, 4, 8, 16, 32 or 64",
		"threads=-1":     "-1 threads: at least one is needed",
		"strategy=stagd": `strategy "stagd": expected auto, staged, in-place, atomic, global-color, gather, blocks, scratchpad or measure (did you mean "staged"?)`,
		"cflags='-O2":    "the quote ' is not closed",
		`cflags="'-O2"`:  "the flags '-O2: the quote ' is not closed",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", text, err, want)
		}
	}
}

func TestWith(t *testing.T) {
	for _, test := range []struct {
		name             string
		below, over, got Choices
	}{
		{"nothing", Choices{}, Choices{}, Choices{}},
		{"the runtime's alone", all, Choices{}, all},
		{"the kernel's alone", Choices{}, all, all},
		{"the kernel's win", all, Choices{Block: 8, SIMD: tune.SIMDOff, Strategy: tune.Auto},
			Choices{Block: 8, Threads: 3, Schedule: tune.Dynamic, SIMD: tune.SIMDOff, Width: 4, Compiler: "gcc -m64", HostFlags: all.HostFlags,
				Strategy: tune.Auto, Layout: tune.SoA, Group: 1024, PerItem: 2, DeviceFlags: all.DeviceFlags, Chains: all.Chains, Tile: all.Tile, NoAtomics: true}},
		{"flags of both", Choices{HostFlags: "-O2"}, Choices{HostFlags: "-O3", DeviceFlags: "-v"}, Choices{HostFlags: "-O2 -O3", DeviceFlags: "-v"}},
	} {
		if got := test.below.With(test.over); got != test.got {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

// Of each choice the highest authority's counts, who leaves it to others by auto.
func TestAuthority(t *testing.T) {
	user := Choices{Block: 64, Strategy: tune.Auto, NoAtomics: true}.By(User)
	wisdom := Choices{Block: 128, Strategy: tune.Gather}.By(Wisdom)
	tuning := Choices{Strategy: tune.Blocks, Group: 32}.By(Tuning)
	m := user.Over(wisdom).Over(tuning)
	m.Took(Layout, "soa")
	m.Took(Block, "64")
	if got, want := m.String(), "block=64 (user), strategy=gather (wisdom), layout=soa (estimate), group=32 (tuning), noatomics"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m.Who(Block) != User || m.Who(Width) != Nobody {
		t.Error("who chose")
	}
	if got := m.From(Wisdom).String(); got != "strategy=gather (wisdom), noatomics" {
		t.Errorf("from wisdom: %s", got)
	}
	taken := m.Only(Block, Group)
	if taken.Took(Group, "16"); taken.String() != "block=64 (user), group=16 (estimate), noatomics" {
		t.Errorf("what is taken: %s", taken)
	}
	if taken.Took(Block, ""); taken.Who(Block) != Nobody || taken.Block != 0 {
		t.Errorf("what is not taken: %s", taken)
	}
	data, err := json.Marshal(m)
	want := `{"block":64,"strategy":"gather","layout":"soa","group":32,"noatomics":true,"by":{"block":"user","group":"tuning","layout":"estimate","strategy":"wisdom"}}`
	if string(data) != want || err != nil {
		t.Errorf("got  %s (%v)\nwant %s", data, err, want)
	}
	var again Made
	if err := json.Unmarshal(data, &again); again != m || err != nil {
		t.Errorf("%s is read as %s (%v)", data, again, err)
	}
	if json.Unmarshal([]byte(`{"by":{"block":"chance"}}`), &again) == nil {
		t.Error("chance chooses")
	}
}

// Flags with blanks are quoted as for a shell.
func TestQuotedFlags(t *testing.T) {
	for text, want := range map[string][]string{
		` -O2  '-DA=b c' "-DD=\"e\" $f" -I/a\ b '' `: {"-O2", "-DA=b c", `-DD="e" $f`, "-I/a b", ""},
		`-D'A'"B"=C`: {"-DAB=C"},
		"":           nil,
	} {
		if got, err := split(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is %q, %v", text, got, err)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, want := range [][]string{nil, {"-O2"}, {"", "a b", "it's", `"`, `\`, "-DX=\"y z\""}} {
		if got := FlagsOf(want...).List(); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if f := Flags("-O2").And("").And("-ffp-contract=off"); !f.Has("-ffp-contract=off") || f.Has("-O3") || len(f.List()) != 2 {
		t.Errorf("got %s", f)
	}
}
