package native

import (
	"syscall"
	"testing"
)

// A handler installed between Guard and restore is removed, the previous one is restored, and others
// are left alone.
func TestGuard(t *testing.T) {
	usr1, usr2 := int(syscall.SIGUSR1), int(syscall.SIGUSR2)
	var before, between, after, other action
	sigaction(usr1, nil, &before)
	sigaction(usr2, nil, &other)

	restore := Guard()
	ignore := action{1} // SIG_IGN
	if !sigaction(usr1, &ignore, nil) {
		t.Fatal("the handler cannot be set")
	}
	sigaction(usr1, nil, &between)
	restore()
	sigaction(usr1, nil, &after)
	if between == before {
		t.Error("the test changed nothing")
	}
	if after != before {
		t.Errorf("the handler is %v, want %v", after, before)
	}
	sigaction(usr2, nil, &after)
	if after != other {
		t.Errorf("another signal's handler is %v, was %v", after, other)
	}
}
