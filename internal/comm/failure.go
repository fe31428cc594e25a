package comm

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/sorting"
)

// Failure reports that a rank has failed.
type Failure struct {
	Rank int
	Why  string

	err      error // of this rank
	inferred bool  // by this rank: the other one has not reported it
}

// Fails returns the failure of a rank, which wraps why.
func Fails(rank int, why error) *Failure { return &Failure{Rank: rank, Why: why.Error(), err: why} }

func (f *Failure) Error() string { return fmt.Sprintf("rank %d: %s", f.Rank, f.Why) }

// Unwrap returns the error of the rank on which it happened; other ranks have its text alone.
func (f *Failure) Unwrap() error { return f.err }

// Reported reports whether err is a failure that other ranks have been told of, or tell of.
func Reported(err error) bool {
	var f *Failure
	return errors.As(err, &f) && !f.inferred
}

// Ended returns the failure of a rank that has closed its Comm, for which the call of another waits
// in vain: the one that this goroutine is in.
func Ended(rank, waiting int) *Failure {
	return &Failure{Rank: rank, Why: fmt.Sprintf("it has ended the communication, and rank %d waits for it%s", waiting, In()), inferred: true}
}

// In returns where this goroutine has called the library, " in Dat.Gather (main.go:31)", or "".
func In() string {
	if s := callsite.Find().String(); s != "" {
		return " in " + s
	}
	return ""
}

// Failures are the failures of several ranks.
type Failures []*Failure

// Join returns failures as one error; nil if there are none.
func Join(failures []*Failure) error {
	switch len(failures) {
	case 0:
		return nil
	case 1:
		return failures[0]
	}
	return Failures(failures)
}

func (f Failures) Unwrap() []error {
	errs := make([]error, len(f))
	for i := range f {
		errs[i] = f[i]
	}
	return errs
}

// Alike reports whether all failures have the same text.
func (f Failures) Alike() bool {
	return !slices.ContainsFunc(f, func(other *Failure) bool { return other.Why != f[0].Why })
}

// shown is the largest number of different texts in a message.
const shown = 8

// Error returns each different text once, with the ranks that report it.
func (f Failures) Error() string {
	var by ByText
	for _, failure := range sorting.Sorted(f, func(a, b *Failure) int { return a.Rank - b.Rank }) {
		by.Add(failure.Rank, failure.Why)
	}
	separator := "; "
	var lines []string
	for _, text := range by.Texts[:min(shown, len(by.Texts))] {
		lines = append(lines, by.Ranks(text)+": "+text)
		if strings.Contains(text, "\n") {
			separator = "\n"
		}
	}
	if more := len(by.Texts) - shown; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d further errors", more))
	}
	return strings.Join(lines, separator)
}

// ByText is texts of ranks, each text once.
type ByText struct {
	Texts []string // in the order of the first ranks that have them
	ranks map[string][]int
}

// Add adds the text of a rank: ranks are added in ascending order.
func (b *ByText) Add(rank int, text string) {
	if b.ranks == nil {
		b.ranks = map[string][]int{}
	}
	if b.ranks[text] == nil {
		b.Texts = append(b.Texts, text)
	}
	b.ranks[text] = append(b.ranks[text], rank)
}

// Ranks returns the ranks that have a text, as words.
func (b *ByText) Ranks(text string) string { return Ranks(b.ranks[text]) }

// Ranks returns ascending ranks as words: "rank 3", "ranks 0-3, 7".
func Ranks(ranks []int) string {
	var runs []string
	for i := 0; i < len(ranks); {
		first := i
		for i++; i < len(ranks) && ranks[i] == ranks[i-1]+1; i++ {
		}
		if i-first == 1 {
			runs = append(runs, fmt.Sprint(ranks[first]))
		} else {
			runs = append(runs, fmt.Sprintf("%d-%d", ranks[first], ranks[i-1]))
		}
	}
	if len(ranks) == 1 {
		return "rank " + runs[0]
	}
	return "ranks " + strings.Join(runs, ", ")
}
