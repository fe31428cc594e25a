package text

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"x1", "x1"}, {"resCalc", "resCalc"}, {"x_", "x_"}, {"data", "data"}, {"interval", "interval"}, {"strlen", "strlen"},
		{"register", "register_"}, {"double", "double_"}, {"double_", "double_"}, {"template", "template_"}, {"uint", "uint_"},
		{"sqrt", "sqrt_"}, {"sqrtf", "sqrtf_"}, {"I", "I_"}, {"NULL", "NULL_"}, {"linux", "linux_"}, {"_x", "u_x_"}, {"T", "T"},
		{"size_t", "size_t_"}, {"UINT8_C", "UINT8_C_"}, {"FLT_MAX", "FLT_MAX_"}, {"cl_khr_fp64", "cl_khr_fp64_"},
		{"_Bool", "u_Bool_"}, {"__global_", "u__global__"}, {"op2_index", "op2_index_"}, {"op2", "op2_"},
		{"größe", "gru00f6u00dfe"}, {"Δt", "u0394t"}, {"π", "u03c0"},
	} {
		if got := Inner(test.name); got != test.want {
			t.Errorf("%s is %s, want %s", test.name, got, test.want)
		}
		if got := Outer(test.name); test.want != test.name && got != strings.TrimSuffix(test.want, "_")+"_" {
			t.Errorf("%s is %s at file scope", test.name, got)
		}
	}
}

// Long names of loops that differ anywhere stay different.
func TestStem(t *testing.T) {
	long := strings.Repeat("loop", 25)
	for name, want := range map[string]string{"step_": "step", long: long,
		long + "_1": long[:83] + "_2ea5b8d57f31e7bc", long + "_2": long[:83] + "_e6dbb658030c5ac6"} {
		if got := Stem(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// Names that would collide get a number.
func TestScope(t *testing.T) {
	s := NewScope(nil)
	var got []string
	for _, name := range []string{"x", "x", "x_2", "double", "double_", "double"} {
		got = append(got, s.Fresh(name))
	}
	mark := s.Enter()
	got = append(got, s.Outer("double"), s.Fresh("y"))
	s.Leave(mark)
	got = append(got, s.Outer("y"), s.Fresh("y"))
	const want = "x x_2 x_2_2 double_ double_2_ double_3_ double_4_ y y_ y"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
