package jit

import "testing"

func TestRenamed(t *testing.T) {
	e := &CompileError{
		Reason: "k.c:2:5: error: conflicting types for 'flux_'; have 'int(flux_t_)'",
		Log: "k.c: In function 'flux_':\nk.c:2:5: error: conflicting types for 'flux_'; have 'int(flux_t_)'\n" +
			"    2 | int flux_(double a)\n      |     ^~~~~\nflux_ = 1;\n/usr/bin/ld: k.c: undefined reference to `flux_2_'\n",
	}
	got := e.Renamed(map[string]string{"flux_": "flux", "flux_2_": "Flux"})
	if want := "k.c:2:5: error: conflicting types for 'flux'; have 'int(flux_t_)'"; got.Reason != want {
		t.Errorf("got %q", got.Reason)
	}
	if want := "k.c: In function 'flux':\nk.c:2:5: error: conflicting types for 'flux'; have 'int(flux_t_)'\n" +
		"    2 | int flux_(double a)\n      |     ^~~~~\nflux_ = 1;\n/usr/bin/ld: k.c: undefined reference to `Flux'\n"; got.Log != want {
		t.Errorf("got %q", got.Log)
	}
	if e.Reason == got.Reason {
		t.Error("the error itself was changed")
	}
}
