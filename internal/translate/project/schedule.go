package project

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/translate/recording"
)

// schedule returns what happens in a run, with the part that repeats written once.
func schedule(events []recording.Event) []string {
	var list []string
	for _, e := range events {
		if e.Loop >= 0 {
			list = append(list, fmt.Sprintf("call %d", e.Loop))
		} else {
			list = append(list, fmt.Sprintf("set %d %d", e.Array, e.At))
		}
	}
	start, length, times := period(list)
	if times < 2 {
		return list
	}
	body := slices.Concat([]string{fmt.Sprintf("repeat %d", times)}, list[start:start+length], []string{"end"})
	return slices.Concat(list[:start], body, list[start+times*length:])
}

// longest is the largest period that is looked for.
const longest = 2000

// period finds the part of a list that repeats and covers most of it: the shortest such, and the first.
func period(list []string) (start, length, times int) {
	covered := 0
	for n := 1; n <= min(len(list)/2, longest); n++ {
		for i := 0; i+n < len(list); i++ {
			same := 0
			for i+same+n < len(list) && list[i+same] == list[i+same+n] {
				same++
			}
			if k := same/n + 1; k > 1 && k*n > covered {
				start, length, times, covered = i, n, k, k*n
			}
			i += same
		}
	}
	return start, length, times
}
