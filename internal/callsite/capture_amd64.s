#include "textflag.h"

// func capture(c *Calls)
// At each frame pointer are the caller's frame pointer and the return address.
TEXT ·capture(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ c+0(FP), DI
	MOVQ BP, AX
	MOVQ $12, CX
next:
	TESTQ AX, AX
	JZ   done
	MOVQ 8(AX), DX
	MOVQ DX, (DI)
	MOVQ (AX), AX
	ADDQ $8, DI
	DECQ CX
	JNZ  next
	RET
done:
	MOVQ $0, (DI)
	RET
