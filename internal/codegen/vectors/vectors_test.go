package vectors_test

import (
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen/codegentest"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/codegen/vectors"
	"github.com/go-op2/op2/internal/loop"
)

func all(int) bool { return true }

// A source has the vectors and the functions that it uses, with as many lanes as the largest values have room for.
func TestPrint(t *testing.T) {
	v := vectors.New(8, "", "", func(elements int) bool { return elements == 4 })
	v.Use("select", loop.Float32)
	v.Move("load", loop.Float64, 1)
	var w text.Writer
	v.Print(&w)
	codegentest.Expect(t, w.String(), `// Packs of elements: each vector holds one value per element.
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#if defined(__AVX2__)
#define OP2_LANES 4
#endif
#endif
#endif
#ifdef OP2_LANES
#define OP2_SHUFFLE __builtin_shufflevector
#define OP2_CONVERT __builtin_convertvector
typedef float op2_vecf __attribute__((vector_size(4 * OP2_LANES)));
typedef float op2_vecf_u __attribute__((vector_size(4 * OP2_LANES), aligned(4), may_alias));
typedef double op2_vec __attribute__((vector_size(8 * OP2_LANES)));
typedef double op2_vec_u __attribute__((vector_size(8 * OP2_LANES), aligned(8), may_alias));
typedef int64_t op2_mask __attribute__((vector_size(8 * OP2_LANES))); // in each lane, all bits or none
typedef int32_t op2_vecf_bits __attribute__((vector_size(4 * OP2_LANES)));
static inline __attribute__((always_inline)) op2_vecf op2_vecf_select(op2_mask m, op2_vecf x, op2_vecf y)
{
	const op2_vecf_bits b = OP2_CONVERT(m, op2_vecf_bits);
	return (op2_vecf)(((op2_vecf_bits)x & b) | ((op2_vecf_bits)y & ~b));
}
#if OP2_LANES == 4
static inline __attribute__((always_inline)) op2_vec op2_vec_load1(const double *restrict x, const int64_t i[OP2_LANES], int dim)
{
	return (op2_vec){x[dim * i[0]], x[dim * i[1]], x[dim * i[2]], x[dim * i[3]]};
}
#endif
// Moves the values of a pack's elements i, dim for each, into vectors and back.
static inline __attribute__((always_inline)) void op2_vec_load(op2_vec *v, const double *restrict x, const int64_t i[OP2_LANES], int dim)
{
	int d = 0;
	for (; d < dim; d++)
		v[d] = op2_vec_load1(x + d, i, dim);
}

`)
}

// Rows of 4 and of 2 values are moved whole, and transposed; the rest one by one.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		dim  int
		want string
	}{
		{1, "load1"}, {2, "load2"}, {3, "load2 load1"}, {4, "load4"}, {5, "load4 load1"}, {7, "load4 load2 load1"},
	} {
		v := vectors.New(8, "", "", func(elements int) bool { return elements == 8 })
		v.Move("load", loop.Float64, c.dim)
		var w text.Writer
		v.Print(&w)
		var got []string
		for _, row := range []string{"load4", "load2", "load1"} {
			if strings.Contains(w.String(), "op2_vec_"+row+"(") {
				got = append(got, row)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%d values are moved by %q, want %q", c.dim, got, c.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	for size, want := range map[int]string{
		8: "8 elements with AVX-512, 4 with AVX2, 2 with SSE4.1 or NEON",
		4: "16 elements with AVX-512, 8 with AVX2, 4 with SSE4.1 or NEON",
	} {
		if got := vectors.New(size, "", "", all).Describe(); got != want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
	if vectors.New(8, "", "", func(int) bool { return false }) != nil {
		t.Error("vectors in no registers")
	}
}
