package tune

import "testing"

func TestWith(t *testing.T) {
	all := Options{Block: 64, SIMD: SIMDOn, Schedule: Dynamic, Strategy: Staged, Layout: SoA, NoAtomics: true}
	for _, test := range []struct {
		name             string
		below, over, got Options
	}{
		{"nothing", Options{}, Options{}, Options{}},
		{"the runtime's alone", all, Options{}, all},
		{"the kernel's alone", Options{}, all, all},
		{"the kernel's win", all, Options{Block: 8, SIMD: SIMDOff, Schedule: Static, Strategy: Auto, Layout: AoS},
			Options{Block: 8, SIMD: SIMDOff, Schedule: Static, Strategy: Auto, Layout: AoS, NoAtomics: true}},
		{"they complete each other", Options{Block: 64, SIMD: SIMDOn}, Options{SIMD: SIMDOff, Strategy: Atomic},
			Options{Block: 64, SIMD: SIMDOff, Strategy: Atomic}},
	} {
		if got := test.below.With(test.over); got != test.got {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}
