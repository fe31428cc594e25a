package choice

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Flags are flags of a compiler, in one text that can be compared, separated by blanks, which quotes and backslashes keep
// as in a shell.
type Flags string

// FlagsOf returns flags.
func FlagsOf(flags ...string) Flags {
	quoted := make([]string, len(flags))
	for i, f := range flags {
		quoted[i] = quote(f)
	}
	return Flags(strings.Join(quoted, " "))
}

// ParseFlags returns the flags of a text, or an error if a quote is open at its end.
func ParseFlags(text string) (Flags, error) {
	words, err := split(text)
	return FlagsOf(words...), err
}

// List returns the flags one by one; nil if a quote is open.
func (f Flags) List() []string {
	words, _ := split(string(f))
	return words
}

// And returns the flags of both.
func (f Flags) And(more Flags) Flags {
	return Flags(strings.TrimSpace(string(f) + " " + string(more)))
}

// Has reports whether a flag is among them.
func (f Flags) Has(flag string) bool { return slices.Contains(f.List(), flag) }

// quote returns text that split returns as one word.
func quote(word string) string {
	plain := func(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune(`'"\`, r) }
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// split splits text at blanks, as a shell does: quotes and backslashes keep blanks in a word.
func split(text string) (all []string, err error) {
	var word []rune
	in, quote, escaped := false, rune(0), false
	for _, r := range text {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word = append(word, '\\')
			}
			word, escaped = append(word, r), false
		case r == '\\' && quote != '\'':
			in, escaped = true, true
		case r == quote:
			quote = 0
		case quote != 0:
			word = append(word, r)
		case r == '\'' || r == '"':
			in, quote = true, r
		case unicode.IsSpace(r):
			if in {
				all = append(all, string(word))
			}
			word, in = nil, false
		default:
			word, in = append(word, r), true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	case escaped:
		return nil, errors.New("nothing follows the last backslash")
	case in:
		all = append(all, string(word))
	}
	return all, nil
}
