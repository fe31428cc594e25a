package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/spell"
)

// partitionFlags are the flags of op2 partition.
type partitionFlags struct {
	parts, method, points, view, draw *string
	scaling                           *bool
	halo, each                        *int
	latency, reduction                *time.Duration
	bandwidth, memory                 *float64
	json                              *bool
}

// check returns the numbers of parts, or what is wrong with the flags.
func (p *partitionFlags) check(file string) (counts []int, err error) {
	if file == "" {
		return nil, errors.New("which mesh? As in: op2 partition -parts 8 coast.msh")
	}
	text := *p.parts
	if text == "" {
		text = "2,8,64"
		if *p.scaling {
			text = "1,8,64,512,4096,32768,100000"
		}
	}
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 || n > 1<<30 {
			return nil, fmt.Errorf("-parts %s: expected numbers from 1", text)
		}
		counts = append(counts, n)
	}
	if !slices.Contains(partition.Methods, *p.method) {
		return nil, fmt.Errorf("-method %s: there is no such method%s", *p.method, spell.DidYouMean(*p.method, partition.Methods))
	}
	if *p.json && *p.scaling {
		return nil, errors.New("-json: what -scaling predicts is a table")
	}
	if *p.halo >= 0 && (*p.draw == "" || *p.halo >= slices.Min(counts)) {
		return nil, fmt.Errorf("-halo %d: expected the number of a part, from 0, and -draw", *p.halo)
	}
	if !(*p.memory > 0 && *p.bandwidth > 0) || *p.latency < 0 || *p.reduction < 0 || *p.each < 1 {
		return nil, errors.New("-memory, -bandwidth, -latency, -reduction, -each: expected positive numbers")
	}
	_, err = parseView(*p.view)
	return counts, err
}
