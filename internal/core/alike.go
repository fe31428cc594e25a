package core

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/loop"
)

// checkRanks returns an error, on all ranks, unless they are about to run the same loop with valid
// halos. It is collective, and does nothing on one process.
func (l *Loop) checkRanks(over Range, args []Arg) error {
	if l.across == nil {
		return nil
	}
	if err := l.checkAlike(over, args); err != nil {
		return err
	}
	return l.checkHalos(args)
}

// checkAlike returns an error on all ranks unless all are about to run this loop, with the same
// arguments and halos that are valid to the same extent. It is collective.
func (l *Loop) checkAlike(over Range, args []Arg) error {
	var texts, states []string
	for _, a := range args {
		texts = append(texts, a.String())
	}
	states = append(states, fmt.Sprintf("its meaning is %x", l.spec.Hash()), fmt.Sprintf("it is over %d elements", over.whole()))
	for i, a := range args {
		switch d := a.data; {
		case a.kind == loop.Dat && d.set.distributed():
			states = append(states, fmt.Sprintf("the halo of %s is %s", d.name, d.haloState()))
		case a.kind == loop.Global && l.spec.Loop.Args[i].Reduces():
			if err := d.Bring(false); err != nil {
				return err
			}
			states = append(states, fmt.Sprintf("%s is %v", d.name, d.Float64s()))
		}
	}
	return l.rt.alike(fmt.Sprintf("%s (%s)", l.name, strings.Join(texts, "; ")), states)
}

// whole returns the number of elements of the whole mesh.
func (r Range) whole() int64 {
	if r.Subset != nil {
		return r.Subset.size
	}
	return r.Set.Whole()
}

// haloState describes which values of a distributed dat's halo are valid.
func (d *Data) haloState() string {
	s := d.storage
	switch parts := len(d.set.spread.parts); {
	case s.valid >= parts:
		return "valid"
	case s.through != nil && s.reached > s.valid:
		return "valid where " + s.through.name + " leads"
	case s.valid == owned:
		return "outdated"
	default:
		return fmt.Sprintf("valid in %d of %d parts", s.valid, parts)
	}
}

// alike returns an error on all ranks, under diagnostics, unless all do the same, in the same states,
// each of which is a sentence. It is collective.
func (rt *Runtime) alike(what string, states []string) error {
	c := rt.Comm()
	if c == nil || !rt.config.Backend.Poison {
		return nil
	}
	all := append([]string{what}, states...)
	h := fnv.New64a()
	for _, s := range all {
		fmt.Fprintf(h, "%d %s", len(s), s)
	}
	hash := int64(h.Sum64() >> 1)
	least := []int64{hash, -hash}
	if err := comm.Reduce(c, loop.Min, least); err != nil {
		return rt.broken(err)
	}
	if least[0] == -least[1] {
		return nil
	}
	text, err := rt.differences(all)
	if err != nil {
		return rt.broken(err)
	}
	return fmt.Errorf("op2: %s", text)
}

// differences returns, on all ranks, how what they do differs.
func (rt *Runtime) differences(own []string) (string, error) {
	const separator = "\x00"
	c := rt.Comm()
	came, err := comm.Gather(c, 0, []byte(strings.Join(own, separator)))
	if err != nil {
		return "", err
	}
	var text []byte
	length := make([]byte, 8)
	if c.Rank() == 0 {
		byRank := make([][]string, len(came))
		for rank, data := range came {
			byRank[rank] = strings.Split(string(data), separator)
		}
		text = []byte(difference(byRank))
		binary.LittleEndian.PutUint64(length, uint64(len(text)))
	}
	if err := c.Broadcast(0, length); err != nil {
		return "", err
	}
	if text == nil {
		text = make([]byte, binary.LittleEndian.Uint64(length))
	}
	return string(text), c.Broadcast(0, text)
}

// difference describes the first difference of what ranks do: the first text of each says what, the
// others in which states.
func difference(byRank [][]string) string {
	at := 0
	for same(byRank, at) {
		at++
	}
	var order []string
	ranks := map[string][]int{}
	for rank, texts := range byRank {
		text := "more"
		if at < len(texts) {
			text = texts[at]
		}
		if ranks[text] == nil {
			order = append(order, text)
		}
		ranks[text] = append(ranks[text], rank)
	}
	var parts []string
	for _, text := range order {
		parts = append(parts, fmt.Sprintf("on %s %s", comm.Ranks(ranks[text]), text))
	}
	if at == 0 {
		return "ranks do not do the same: " + strings.Join(parts, ", ") + "\n  hint: all ranks make the same calls in the same order"
	}
	return byRank[0][0] + ": ranks do not do it alike: " + strings.Join(parts, ", ") +
		"\n  hint: all ranks make the same calls in the same order; Data, which marks halos as outdated, is one of them"
}

// same reports whether all ranks have the same text at a place, and there is one.
func same(byRank [][]string, at int) bool {
	for _, texts := range byRank {
		if at >= len(texts) || at >= len(byRank[0]) || texts[at] != byRank[0][at] {
			return false
		}
	}
	return true
}
