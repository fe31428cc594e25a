package op2_test

import "testing"

// expectError fails the test where err has another text than want.
func expectError(t testing.TB, err error, want string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("no error, want:\n%s", want)
	case err.Error() != want:
		t.Errorf("got:\n%s\nwant:\n%s", err, want)
	}
}
