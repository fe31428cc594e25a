package project

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/translate/recording"
)

func TestSchedule(t *testing.T) {
	for _, test := range []struct{ calls, want string }{
		{"", ""},
		{"abc", "abc"},
		{"abab", "2(ab)"},
		{"abcbcbcd", "a3(bc)d"},
		{"aaabaaabaaab", "3(aaab)"},
		{"aab", "2(a)b"},
	} {
		var events []recording.Event
		for _, c := range test.calls {
			events = append(events, recording.Event{Loop: int(c - 'a')})
		}
		got := strings.Join(schedule(events), " ")
		got = strings.NewReplacer("repeat ", "", "call 0", "a", "call 1", "b", "call 2", "c", "call 3", "d").Replace(got)
		if got = compact(got); got != test.want {
			t.Errorf("%s: %s, not %s", test.calls, got, test.want)
		}
	}
}

// compact writes "2 a b end" as "2(ab)".
func compact(s string) string {
	var b strings.Builder
	for _, word := range strings.Fields(s) {
		switch {
		case word == "end":
			b.WriteString(")")
		case word >= "a":
			b.WriteString(word)
		default:
			b.WriteString(word + "(")
		}
	}
	return b.String()
}
