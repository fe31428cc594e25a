package tune

import "testing"

func TestParse(t *testing.T) {
	type parser func(name string) (value uint8, formatted string, err error)
	simd := func(name string) (uint8, string, error) { v, err := ParseSIMD(name); return uint8(v), v.String(), err }
	schedule := func(name string) (uint8, string, error) {
		v, err := ParseSchedule(name)
		return uint8(v), v.String(), err
	}
	strategy := func(name string) (uint8, string, error) {
		v, err := ParseStrategy(name)
		return uint8(v), v.String(), err
	}
	layout := func(name string) (uint8, string, error) {
		v, err := ParseLayout(name)
		return uint8(v), v.String(), err
	}
	const strategies = "expected auto, staged, atomic, global-color, gather, blocks or measure"
	for _, test := range []struct {
		parse parser
		name  string
		want  uint8
		wrong string
	}{
		{simd, "", 0, ""},
		{simd, "auto", uint8(SIMDAuto), ""},
		{simd, "off", uint8(SIMDOff), ""},
		{simd, "On", 0, `expected auto, on or off (did you mean "on"?)`},
		{schedule, "dynamic", uint8(Dynamic), ""},
		{schedule, "guided", 0, "expected static or dynamic"},
		{strategy, "", 0, ""},
		{strategy, "auto", uint8(StrategyAuto), ""},
		{strategy, "global-color", uint8(GlobalColor), ""},
		{strategy, "measure", uint8(Measure), ""},
		{strategy, "direct", 0, strategies}, // never requested
		{strategy, "colour", 0, strategies},
		{layout, "soa", uint8(SoA), ""},
		{layout, "SoA", 0, `expected auto, aos or soa (did you mean "soa"?)`},
	} {
		got, formatted, err := test.parse(test.name)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if got != test.want || message != test.wrong || err == nil && formatted != test.name {
			t.Errorf("%q: %d, %q, error %q", test.name, got, formatted, message)
		}
	}
	if Direct.String() != "direct" {
		t.Error(Direct.String())
	}
}

func TestWith(t *testing.T) {
	all := Options{Block: 64, SIMD: SIMDOn, Schedule: Dynamic, Strategy: Staged, Layout: SoA, Deterministic: true}
	for _, test := range []struct {
		name             string
		below, over, got Options
	}{
		{"nothing", Options{}, Options{}, Options{}},
		{"the runtime's alone", all, Options{}, all},
		{"the kernel's alone", Options{}, all, all},
		{"the kernel's win", all, Options{Block: 8, SIMD: SIMDOff, Schedule: Static, Strategy: StrategyAuto, Layout: AoS},
			Options{Block: 8, SIMD: SIMDOff, Schedule: Static, Strategy: StrategyAuto, Layout: AoS, Deterministic: true}},
		{"they complete each other", Options{Block: 64, SIMD: SIMDOn}, Options{SIMD: SIMDOff, Strategy: Atomic},
			Options{Block: 64, SIMD: SIMDOff, Strategy: Atomic}},
	} {
		if got := test.below.With(test.over); got != test.got {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}
