// XX64 of two keys of 16 bytes. x0 is at Go's slices, x4 at the hashes. v16 to v18 have the primes 2, 1 and 3 twice,
// v20 to v22 their lower halves, v24 the seed and v25 prime 4. A product of 64 bits is six instructions.
	ldr x1, [x0], #24
	ldr x2, [x0], #24
	ldr q0, [x1]
	ldr q1, [x2]
	zip1 v2.2d, v0.2d, v1.2d
	zip2 v3.2d, v0.2d, v1.2d
	rev64 v4.4s, v2.4s
	xtn v29.2s, v2.2d
	mul v4.4s, v4.4s, v16.4s
	uaddlp v4.2d, v4.4s
	shl v4.2d, v4.2d, #32
	umlal v4.2d, v29.2s, v20.2s
	rev64 v5.4s, v3.4s
	xtn v29.2s, v3.2d
	mul v5.4s, v5.4s, v16.4s
	uaddlp v5.2d, v5.4s
	shl v5.2d, v5.2d, #32
	umlal v5.2d, v29.2s, v20.2s
	ushr v6.2d, v4.2d, #33
	sli v6.2d, v4.2d, #31
	ushr v7.2d, v5.2d, #33
	sli v7.2d, v5.2d, #31
	rev64 v4.4s, v6.4s
	xtn v29.2s, v6.2d
	mul v4.4s, v4.4s, v17.4s
	uaddlp v4.2d, v4.4s
	shl v4.2d, v4.2d, #32
	umlal v4.2d, v29.2s, v21.2s
	rev64 v5.4s, v7.4s
	xtn v29.2s, v7.2d
	mul v5.4s, v5.4s, v17.4s
	uaddlp v5.2d, v5.4s
	shl v5.2d, v5.2d, #32
	umlal v5.2d, v29.2s, v21.2s
	eor v4.16b, v4.16b, v24.16b
	ushr v6.2d, v4.2d, #37
	sli v6.2d, v4.2d, #27
	rev64 v4.4s, v6.4s
	xtn v29.2s, v6.2d
	mul v4.4s, v4.4s, v17.4s
	uaddlp v4.2d, v4.4s
	shl v4.2d, v4.2d, #32
	umlal v4.2d, v29.2s, v21.2s
	add v4.2d, v4.2d, v25.2d
	eor v4.16b, v4.16b, v5.16b
	ushr v6.2d, v4.2d, #37
	sli v6.2d, v4.2d, #27
	rev64 v4.4s, v6.4s
	xtn v29.2s, v6.2d
	mul v4.4s, v4.4s, v17.4s
	uaddlp v4.2d, v4.4s
	shl v4.2d, v4.2d, #32
	umlal v4.2d, v29.2s, v21.2s
	add v4.2d, v4.2d, v25.2d
	ushr v6.2d, v4.2d, #33
	eor v4.16b, v4.16b, v6.16b
	rev64 v7.4s, v4.4s
	xtn v29.2s, v4.2d
	mul v7.4s, v7.4s, v16.4s
	uaddlp v7.2d, v7.4s
	shl v7.2d, v7.2d, #32
	umlal v7.2d, v29.2s, v20.2s
	ushr v6.2d, v7.2d, #29
	eor v7.16b, v7.16b, v6.16b
	rev64 v4.4s, v7.4s
	xtn v29.2s, v7.2d
	mul v4.4s, v4.4s, v18.4s
	uaddlp v4.2d, v4.4s
	shl v4.2d, v4.2d, #32
	umlal v4.2d, v29.2s, v22.2s
	ushr v6.2d, v4.2d, #32
	eor v4.16b, v4.16b, v6.16b
	str q4, [x4], #16
