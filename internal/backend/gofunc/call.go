package gofunc

import "unsafe"

// P is any pointer.
type P = unsafe.Pointer

// maxArgs is the largest number of parameters that call knows.
const maxArgs = 32

// call calls the kernel fn, the word that a func value is, with its n pointers.
func call(fn P, n int, p *[maxArgs]P) {
	switch n {
	case 1:
		(*(*func(P))(P(&fn)))(p[0])
	case 2:
		(*(*func(P, P))(P(&fn)))(p[0], p[1])
	case 3:
		(*(*func(P, P, P))(P(&fn)))(p[0], p[1], p[2])
	case 4:
		(*(*func(P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3])
	case 5:
		(*(*func(P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4])
	case 6:
		(*(*func(P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5])
	case 7:
		(*(*func(P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6])
	case 8:
		(*(*func(P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7])
	case 9:
		(*(*func(P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8])
	case 10:
		(*(*func(P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9])
	case 11:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10])
	case 12:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11])
	case 13:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12])
	case 14:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13])
	case 15:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14])
	case 16:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15])
	case 17:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16])
	case 18:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17])
	case 19:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18])
	case 20:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19])
	case 21:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20])
	case 22:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21])
	case 23:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22])
	case 24:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23])
	case 25:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24])
	case 26:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25])
	case 27:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25], p[26])
	case 28:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25], p[26], p[27])
	case 29:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25], p[26], p[27], p[28])
	case 30:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25], p[26], p[27], p[28], p[29])
	case 31:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25], p[26], p[27], p[28], p[29], p[30])
	case 32:
		(*(*func(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P))(P(&fn)))(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25], p[26], p[27], p[28], p[29], p[30], p[31])
	}
}
