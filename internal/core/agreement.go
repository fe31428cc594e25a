package core

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// whole returns the number of elements of the whole mesh.
func (r Range) whole() int64 {
	if r.Subset != nil {
		return r.Subset.size
	}
	return r.Set.Whole()
}

// haloState describes which values of a distributed dat's halo are valid.
func (d *Data) haloState() string {
	s := d.storage.Halo()
	switch parts := len(d.set.distribution.parts); {
	case s.Valid >= parts:
		return "valid"
	case s.Through != nil && s.Reached > s.Valid:
		return "valid where " + s.Through.Map + " leads"
	case s.Valid == halo.Owned:
		return "outdated"
	default:
		return fmt.Sprintf("valid in %d of %d parts", s.Valid, parts)
	}
}

// alike returns an error on all ranks, under diagnostics, unless all do the same, in the same states,
// each of which is a sentence. It is collective.
func (rt *Runtime) alike(what string, states []string) error {
	if !rt.config.Backend.Poison {
		return nil
	}
	all := append([]string{what}, states...)
	same, err := rt.sameOnAll(strings.Join(all, "\x00"))
	if same || err != nil {
		return err
	}
	text, err := rt.differences(all, rankTexts.difference)
	if err != nil {
		return err
	}
	return fmt.Errorf("op2: %s", text)
}

// sameOnAll reports, on all ranks, whether all pass the same text. It is collective.
func (rt *Runtime) sameOnAll(text string) (bool, error) {
	h := fnv.New64a()
	io.WriteString(h, text)
	hash := int64(h.Sum64() >> 1)
	least, err := Combine(rt, loop.Min, hash, -hash)
	return err == nil && least[0] == -least[1], err
}

// rankTexts are the texts of each rank.
type rankTexts [][]string

// differences returns, on all ranks, what describe says of the texts of all. It is collective.
func (rt *Runtime) differences(own []string, describe func(rankTexts) string) (string, error) {
	text, err := json.Marshal(own)
	if err != nil {
		return "", err
	}
	came, err := comm.Gather(rt.Comm(), 0, text)
	if err != nil {
		return "", rt.broken(err)
	}
	said := ""
	if rt.Rank() == 0 {
		byRank := make(rankTexts, len(came))
		for rank, text := range came {
			if err := json.Unmarshal(text, &byRank[rank]); err != nil {
				return "", err
			}
		}
		said = describe(byRank)
	}
	said, _, err = rt.Tell(rt.Rank() == 0, said)
	return said, err
}

// differ returns the place of the first text that is not the same on all ranks.
func (s rankTexts) differ() int {
	at := 0
	for s.same(at) {
		at++
	}
	return at
}

// same reports whether all ranks have the same text at a place, and there is one.
func (s rankTexts) same(at int) bool {
	for _, texts := range s {
		if at >= len(texts) || at >= len(s[0]) || texts[at] != s[0][at] {
			return false
		}
	}
	return true
}

// first describes the first difference: "on rank 0 set cells of 4 elements, on ranks 1-2 nothing more".
func (s rankTexts) first() string {
	at := s.differ()
	var by comm.ByText
	for rank, texts := range s {
		text := "nothing more"
		if at < len(texts) {
			text = texts[at]
		}
		by.Add(rank, text)
	}
	var parts []string
	for _, text := range by.Texts {
		parts = append(parts, fmt.Sprintf("on %s %s", by.Ranks(text), text))
	}
	return strings.Join(parts, ", ")
}

// difference describes the first difference of what ranks do: the first text of each says what, the
// others in which states.
func (s rankTexts) difference() string {
	if s.differ() == 0 {
		return "ranks do not do the same: " + s.first() + "\n  hint: all ranks make the same calls in the same order"
	}
	return s[0][0] + ": ranks do not do it alike: " + s.first() +
		"\n  hint: all ranks make the same calls in the same order; Data, which marks halos as outdated, is one of them"
}
