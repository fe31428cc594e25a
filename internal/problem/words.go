package problem

import "fmt"

// Message formats an error's text in the common form.
func Message(what, msg, hint string) string {
	s := "op2: " + what + ": " + msg
	if hint != "" {
		s += "\n  hint: " + hint
	}
	return s
}

// ComponentRange lists the numbers of n components: "components 0 to 3".
func ComponentRange(n int) string {
	if n == 1 {
		return "component 0 alone"
	}
	return fmt.Sprintf("components 0 to %d", n-1)
}

// Count formats a number of things: "1 argument", "2 arguments".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Were returns the form of "to be" for a number of things.
func Were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// Are returns the form of "to be" for a number of things.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// OneOr says that one value or n are accepted.
func OneOr(n int) string {
	if n == 1 {
		return "1 value"
	}
	return fmt.Sprintf("1 value or %d", n)
}
