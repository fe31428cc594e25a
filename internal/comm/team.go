package comm

import (
	"encoding/json"
	"hash/fnv"
	"slices"
)

// Team connects the ranks that pass the same name with each other; where all do, it returns c itself. It is collective.
func Team(c Comm, name string) (Comm, error) {
	h := fnv.New64a()
	h.Write([]byte(name))
	digest := int64(h.Sum64() >> 1)
	extremes := []int64{digest, -digest}
	if err := Max(c, extremes); err != nil || extremes[0] == -extremes[1] {
		return c, err
	}
	names, err := Collect(c, name)
	if err != nil {
		return nil, c.Fail(err)
	}
	slices.Sort(names)
	text, err := json.Marshal(slices.Compact(names))
	if err != nil {
		return nil, c.Fail(err)
	}
	if text, err = Spread(c, 0, text); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, c.Fail(err)
	}
	return c.Split(slices.Index(names, name))
}
