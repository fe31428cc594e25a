package entity

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// Alike returns an error on all ranks, under diagnostics, unless all do the same, in the same states,
// each of which is a sentence. It is collective.
func (rt *Runtime) Alike(what string, states []string) error {
	return rt.alike(rt.Comm(), what, states)
}

// alike is Runtime.Alike for the ranks among which the set is divided.
func (s *Set) alike(what string, states ...string) error { return s.rt.alike(s.Parted(), what, states) }

func (rt *Runtime) alike(c comm.Comm, what string, states []string) error {
	if !rt.config.Backend.Poison {
		return nil
	}
	all := append([]string{what}, states...)
	same, err := sameOn(c, strings.Join(all, "\x00"))
	if same || err != nil {
		return err
	}
	text, err := rt.Differences(all, RankTexts.difference)
	if err != nil {
		return err
	}
	return fmt.Errorf("op2: %s", text)
}

// SameOnAll reports, on all ranks, whether all pass the same text. It is collective.
func (rt *Runtime) SameOnAll(text string) (bool, error) { return sameOn(rt.Comm(), text) }

func sameOn(c comm.Comm, text string) (bool, error) {
	h := fnv.New64a()
	io.WriteString(h, text)
	hash := int64(h.Sum64() >> 1)
	least := []int64{hash, -hash}
	if err := comm.Reduce(c, loop.Min, least); err != nil {
		return false, broken(err)
	}
	return least[0] == -least[1], nil
}

// RankTexts are the texts of each rank.
type RankTexts [][]string

// Differences returns, on all ranks, what describe says of the texts of all. It is collective.
func (rt *Runtime) Differences(own []string, describe func(RankTexts) string) (string, error) {
	all, err := comm.Collect(rt.Comm(), own)
	if err != nil {
		return "", rt.Broken(err)
	}
	said := ""
	if all != nil {
		said = describe(all)
	}
	said, _, err = rt.Tell(all != nil, said)
	return said, err
}

// differ returns the place of the first text that is not the same on all ranks.
func (s RankTexts) differ() int {
	at := 0
	for s.same(at) {
		at++
	}
	return at
}

// same reports whether all ranks have the same text at a place, and there is one.
func (s RankTexts) same(at int) bool {
	for _, texts := range s {
		if at >= len(texts) || at >= len(s[0]) || texts[at] != s[0][at] {
			return false
		}
	}
	return true
}

// First describes the first difference: "on rank 0 set cells of 4 elements, on ranks 1-2 nothing more".
func (s RankTexts) First() string {
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
func (s RankTexts) difference() string {
	if s.differ() == 0 {
		return "ranks do not do the same: " + s.First() + "\n  hint: all ranks make the same calls in the same order"
	}
	return s[0][0] + ": ranks do not do it alike: " + s.First() +
		"\n  hint: all ranks make the same calls in the same order; Data, which marks halos as outdated, is one of them"
}

// AnyRank reports whether yes is true on any rank. It is collective.
func (rt *Runtime) AnyRank(yes bool) (bool, error) {
	if err := rt.Alike("ranks are asked by AnyRank", nil); err != nil {
		return yes, err
	}
	count := []int64{0}
	if yes {
		count[0] = 1
	}
	if err := comm.Reduce(rt.Comm(), loop.Max, count); err != nil {
		return yes, rt.Broken(err)
	}
	return count[0] > 0, nil
}

// Sum adds up what each rank has computed from its elements of the set. It is collective, and does
// nothing as long as each rank has all of them.
func (s *Set) Sum(v *float64) error {
	if err := s.alike("values on " + s.name + " are summed up"); err != nil {
		return err
	}
	sum := []float64{*v}
	if err := comm.Reduce(s.Parted(), loop.Inc, sum); err != nil {
		return s.rt.Broken(err)
	}
	*v = sum[0]
	return nil
}
