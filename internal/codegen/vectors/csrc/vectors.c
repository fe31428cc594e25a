//: load 4 of 8 bytes, 8 lanes
INLINE void VEC_load4(VEC v[4], GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)
{
#define ROW(l) ((ROW4) * (GLOBALconst ROW4_u *)(x + dim * i[l]))
	const VEC a = OP2_SHUFFLE(ROW(0), ROW(4), 0, 1, 2, 3, 4, 5, 6, 7), b = OP2_SHUFFLE(ROW(1), ROW(5), 0, 1, 2, 3, 4, 5, 6, 7);
	const VEC c = OP2_SHUFFLE(ROW(2), ROW(6), 0, 1, 2, 3, 4, 5, 6, 7), d = OP2_SHUFFLE(ROW(3), ROW(7), 0, 1, 2, 3, 4, 5, 6, 7);
	const VEC e = OP2_SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14), f = OP2_SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
	const VEC g = OP2_SHUFFLE(c, d, 0, 8, 2, 10, 4, 12, 6, 14), h = OP2_SHUFFLE(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
#undef ROW
	v[0] = OP2_SHUFFLE(e, g, 0, 1, 8, 9, 4, 5, 12, 13);
	v[1] = OP2_SHUFFLE(f, h, 0, 1, 8, 9, 4, 5, 12, 13);
	v[2] = OP2_SHUFFLE(e, g, 2, 3, 10, 11, 6, 7, 14, 15);
	v[3] = OP2_SHUFFLE(f, h, 2, 3, 10, 11, 6, 7, 14, 15);
}

//: load 4 of 8 bytes, 4 lanes
INLINE void VEC_load4(VEC v[4], GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)
{
#define ROW(l) ((ROW4) * (GLOBALconst ROW4_u *)(x + dim * i[l]))
	const VEC e = OP2_SHUFFLE(ROW(0), ROW(1), 0, 4, 2, 6), f = OP2_SHUFFLE(ROW(0), ROW(1), 1, 5, 3, 7);
	const VEC g = OP2_SHUFFLE(ROW(2), ROW(3), 0, 4, 2, 6), h = OP2_SHUFFLE(ROW(2), ROW(3), 1, 5, 3, 7);
#undef ROW
	v[0] = OP2_SHUFFLE(e, g, 0, 1, 4, 5);
	v[1] = OP2_SHUFFLE(f, h, 0, 1, 4, 5);
	v[2] = OP2_SHUFFLE(e, g, 2, 3, 6, 7);
	v[3] = OP2_SHUFFLE(f, h, 2, 3, 6, 7);
}

//: load 2 of 8 bytes, 8 lanes
INLINE void VEC_load2(VEC v[2], GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)
{
#define ROW(l) ((ROW2) * (GLOBALconst ROW2_u *)(x + dim * i[l]))
	const ROW4 a = OP2_SHUFFLE(ROW(0), ROW(2), 0, 1, 2, 3), b = OP2_SHUFFLE(ROW(1), ROW(3), 0, 1, 2, 3);
	const ROW4 c = OP2_SHUFFLE(ROW(4), ROW(6), 0, 1, 2, 3), d = OP2_SHUFFLE(ROW(5), ROW(7), 0, 1, 2, 3);
#undef ROW
	const VEC e = OP2_SHUFFLE(a, c, 0, 1, 2, 3, 4, 5, 6, 7), f = OP2_SHUFFLE(b, d, 0, 1, 2, 3, 4, 5, 6, 7);
	v[0] = OP2_SHUFFLE(e, f, 0, 8, 2, 10, 4, 12, 6, 14);
	v[1] = OP2_SHUFFLE(e, f, 1, 9, 3, 11, 5, 13, 7, 15);
}

//: load 2 of 8 bytes, 4 lanes
INLINE void VEC_load2(VEC v[2], GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)
{
#define ROW(l) ((ROW2) * (GLOBALconst ROW2_u *)(x + dim * i[l]))
	const VEC e = OP2_SHUFFLE(ROW(0), ROW(2), 0, 1, 2, 3), f = OP2_SHUFFLE(ROW(1), ROW(3), 0, 1, 2, 3);
#undef ROW
	v[0] = OP2_SHUFFLE(e, f, 0, 4, 2, 6);
	v[1] = OP2_SHUFFLE(e, f, 1, 5, 3, 7);
}

//: load 2 of 8 bytes, 2 lanes
INLINE void VEC_load2(VEC v[2], GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)
{
	const ROW2 a = *(GLOBALconst ROW2_u *)(x + dim * i[0]), b = *(GLOBALconst ROW2_u *)(x + dim * i[1]);
	v[0] = OP2_SHUFFLE(a, b, 0, 2);
	v[1] = OP2_SHUFFLE(a, b, 1, 3);
}

//: store 4 of 8 bytes, 8 lanes
INLINE void VEC_rows4(ROW4 r[OP2_LANES], const VEC v[4])
{
	const VEC e = OP2_SHUFFLE(v[0], v[1], 0, 8, 2, 10, 4, 12, 6, 14), f = OP2_SHUFFLE(v[0], v[1], 1, 9, 3, 11, 5, 13, 7, 15);
	const VEC g = OP2_SHUFFLE(v[2], v[3], 0, 8, 2, 10, 4, 12, 6, 14), h = OP2_SHUFFLE(v[2], v[3], 1, 9, 3, 11, 5, 13, 7, 15);
	const VEC a = OP2_SHUFFLE(e, g, 0, 1, 8, 9, 4, 5, 12, 13), b = OP2_SHUFFLE(f, h, 0, 1, 8, 9, 4, 5, 12, 13);
	const VEC c = OP2_SHUFFLE(e, g, 2, 3, 10, 11, 6, 7, 14, 15), d = OP2_SHUFFLE(f, h, 2, 3, 10, 11, 6, 7, 14, 15);
	r[0] = OP2_SHUFFLE(a, a, 0, 1, 2, 3), r[1] = OP2_SHUFFLE(b, b, 0, 1, 2, 3);
	r[2] = OP2_SHUFFLE(c, c, 0, 1, 2, 3), r[3] = OP2_SHUFFLE(d, d, 0, 1, 2, 3);
	r[4] = OP2_SHUFFLE(a, a, 4, 5, 6, 7), r[5] = OP2_SHUFFLE(b, b, 4, 5, 6, 7);
	r[6] = OP2_SHUFFLE(c, c, 4, 5, 6, 7), r[7] = OP2_SHUFFLE(d, d, 4, 5, 6, 7);
}

//: store 4 of 8 bytes, 4 lanes
INLINE void VEC_rows4(ROW4 r[OP2_LANES], const VEC v[4])
{
	const VEC e = OP2_SHUFFLE(v[0], v[1], 0, 4, 2, 6), f = OP2_SHUFFLE(v[0], v[1], 1, 5, 3, 7);
	const VEC g = OP2_SHUFFLE(v[2], v[3], 0, 4, 2, 6), h = OP2_SHUFFLE(v[2], v[3], 1, 5, 3, 7);
	r[0] = OP2_SHUFFLE(e, g, 0, 1, 4, 5), r[1] = OP2_SHUFFLE(f, h, 0, 1, 4, 5);
	r[2] = OP2_SHUFFLE(e, g, 2, 3, 6, 7), r[3] = OP2_SHUFFLE(f, h, 2, 3, 6, 7);
}

//: types
typedef TYPE VEC __attribute__((vector_size(SIZE * OP2_LANES)));
typedef TYPE VEC_u __attribute__((vector_size(SIZE * OP2_LANES), aligned(SIZE), may_alias));

//: mask
typedef TYPE op2_mask __attribute__((vector_size(SIZE * OP2_LANES))); // in each lane, all bits or none

//: any
INLINE bool op2_mask_any(op2_mask m)
{
	typedef int64_t words8 __attribute__((vector_size(64)));
	typedef int64_t words4 __attribute__((vector_size(32)));
	typedef int64_t words2 __attribute__((vector_size(16)));
#if MASKS * OP2_LANES == 64
	const words4 low = OP2_SHUFFLE((words8)m, (words8)m, 0, 1, 2, 3) | OP2_SHUFFLE((words8)m, (words8)m, 4, 5, 6, 7);
	const words2 w = OP2_SHUFFLE(low, low, 0, 1) | OP2_SHUFFLE(low, low, 2, 3);
#elif MASKS * OP2_LANES == 32
	const words2 w = OP2_SHUFFLE((words4)m, (words4)m, 0, 1) | OP2_SHUFFLE((words4)m, (words4)m, 2, 3);
#else
	const words2 w = (words2)m;
#endif
	return (w[0] | w[1]) != 0;
}

//: rows of 4 of 8 bytes
typedef TYPE ROW4 __attribute__((vector_size(32)));
typedef TYPE ROW4_u __attribute__((vector_size(32), aligned(8), may_alias));

//: rows of 2 of 8 bytes
typedef TYPE ROW2 __attribute__((vector_size(16)));
typedef TYPE ROW2_u __attribute__((vector_size(16), aligned(8), may_alias));

//: rows of 4 of 4 bytes
typedef TYPE ROW4 __attribute__((vector_size(16)));
typedef TYPE ROW4_u __attribute__((vector_size(16), aligned(4), may_alias));
