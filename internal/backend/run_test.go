package backend

import (
	"reflect"
	"testing"

	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tiling"
)

func TestRuns(t *testing.T) {
	blocks := &plan.Plan{BlockOffsets: []int32{0, 3, 6, 7}}
	for _, test := range []struct {
		name    string
		memory  Memory
		runs    []Run
		offsets []int32
	}{
		{"nothing", Memory{}, []Run{{0, 0}}, []int32{0, 1}},
		{"a range", Memory{First: 5, Last: 9}, []Run{{5, 9}}, []int32{0, 1}},
		{"blocks", Memory{Last: 7, Plan: blocks}, []Run{{0, 3}, {3, 6}, {6, 7}}, []int32{0, 1, 2, 3}},
		{"a subset", Memory{Last: 7, Subset: []int32{2, 3, 4, 8, 10, 11, 12}}, []Run{{2, 5}, {8, 9}, {10, 13}}, []int32{0, 3}},
		{"blocks of a subset", Memory{Last: 7, Subset: []int32{2, 3, 4, 5, 10, 11, 12}, Plan: blocks},
			[]Run{{2, 5}, {5, 6}, {10, 12}, {12, 13}}, []int32{0, 1, 3, 4}},
		{"a few of a subset", Memory{First: 1, Last: 3, Subset: []int32{2, 3, 7, 8}}, []Run{{3, 4}, {7, 8}}, []int32{0, 2}},
	} {
		runs, offsets := test.memory.Runs()
		if !reflect.DeepEqual(runs, test.runs) || !reflect.DeepEqual(offsets, test.offsets) {
			t.Errorf("%s: got %v %v, want %v %v", test.name, runs, offsets, test.runs, test.offsets)
		}
	}
}

func TestTileRuns(t *testing.T) {
	s := &tiling.Schedule{Runs: [][]tiling.Run{{{0, 9}}, {{0, 3}, {4, 5}, {3, 4}, {5, 7}}}, Offsets: [][]int32{{0, 1, 1, 1}, {0, 2, 3, 4}}}
	for _, test := range []struct {
		name    string
		memory  Memory
		loop    int
		runs    []Run
		offsets []int32
	}{
		{"one tile", Memory{Last: 9}, 0, []Run{{0, 9}}, []int32{0, 1, 1, 1}},
		{"a set", Memory{Last: 7}, 1, []Run{{0, 3}, {4, 5}, {3, 4}, {5, 7}}, []int32{0, 2, 3, 4}},
		{"a subset", Memory{Last: 7, Subset: []int32{2, 3, 5, 6, 7, 8, 9}}, 1, []Run{{2, 4}, {5, 6}, {7, 8}, {6, 7}, {8, 10}}, []int32{0, 3, 4, 5}},
	} {
		runs, offsets := test.memory.TileRuns(s, test.loop)
		if !reflect.DeepEqual(runs, test.runs) || !reflect.DeepEqual(offsets, test.offsets) {
			t.Errorf("%s: got %v %v, want %v %v", test.name, runs, offsets, test.runs, test.offsets)
		}
	}
}
