package mesh

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/sorting"
)

// tagIndex finds nodes by their tags.
type tagIndex struct {
	least int64
	dense []int32 // for each tag from the least, the node plus 1; nil where tags are far apart

	tags  []int64 // ascending
	nodes []int32 // of tags
}

// newTagIndex returns an index of tags, and the greater of two nodes that have the same tag, or -1.
func newTagIndex(tags []int64) (index *tagIndex, twice int) {
	if len(tags) == 0 {
		return &tagIndex{}, -1
	}
	least, greatest := slices.Min(tags), slices.Max(tags)
	// The difference may overflow; it then is negative.
	if span := greatest - least; span >= 0 && span < 4*int64(len(tags))+1024 {
		x := &tagIndex{least: least, dense: make([]int32, span+1)}
		for i, tag := range tags {
			if x.dense[tag-least] != 0 {
				return x, i
			}
			x.dense[tag-least] = int32(i + 1)
		}
		return x, -1
	}
	x := &tagIndex{nodes: lists.UpTo(len(tags)), tags: make([]int64, len(tags))}
	sorting.Int32sBy(x.nodes, func(a, b int32) int { return cmp.Or(cmp.Compare(tags[a], tags[b]), cmp.Compare(a, b)) })
	twice = -1
	for i, node := range x.nodes {
		x.tags[i] = tags[node]
		if i > 0 && x.tags[i] == x.tags[i-1] && (twice < 0 || int(node) < twice) {
			twice = int(node)
		}
	}
	return x, twice
}

// find returns the node with a tag, or -1.
func (x *tagIndex) find(tag int64) int32 {
	if x.dense != nil {
		if i := uint64(tag - x.least); i < uint64(len(x.dense)) {
			return x.dense[i] - 1
		}
		return -1
	}
	if i, found := slices.BinarySearch(x.tags, tag); found {
		return x.nodes[i]
	}
	return -1
}
