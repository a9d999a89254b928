// XX64 of a key of 16 bytes. x0 is at Go's slice, x4 at the hash.
// x10 to x14 have primes 2 and 1, the seed, and primes 4 and 3.
	ldr x1, [x0], #24
	ldp x2, x3, [x1]
	mul x2, x2, x10
	mul x3, x3, x10
	ror x2, x2, #33
	ror x3, x3, #33
	mul x2, x2, x11
	mul x3, x3, x11
	eor x2, x2, x12
	ror x2, x2, #37
	madd x2, x2, x11, x13
	eor x2, x2, x3
	ror x2, x2, #37
	madd x2, x2, x11, x13
	eor x2, x2, x2, lsr #33
	mul x2, x2, x10
	eor x2, x2, x2, lsr #29
	mul x2, x2, x14
	eor x2, x2, x2, lsr #32
	str x2, [x4], #8
