package algebra

import (
	"testing"

	"github.com/go-op2/op2/internal/entity"
)

// A dat of another name is its own part; nil, and a mixed dat of no parts, have none.
func TestPartsOf(t *testing.T) {
	type dat entity.Data
	type mixedDat entity.MixedData
	d := new(entity.Data)
	if parts := PartsOf((*dat)(d)); len(parts) != 1 || parts[0].Data != d {
		t.Errorf("a dat: %v", parts)
	}
	for _, v := range []any{nil, new(mixedDat), (*mixedDat)(nil), 1} {
		if parts := PartsOf(v); parts != nil {
			t.Errorf("%T: %v", v, parts)
		}
	}
}
