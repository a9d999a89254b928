package fallback_test

import (
	"fmt"

	"github.com/simdbloom/simdbloom/fallback"
)

// A filter of one block and one hash.
func Example() {
	const probes = 6
	body := make([]byte, fallback.BlockBytes)
	fallback.FastLocalAdd(body, probes, []uint64{0x1111_2222_3333_4444})
	fmt.Println(fallback.FastLocalContains(body, probes, 0x1111_2222_3333_4444),
		fallback.FastLocalContains(body, probes, 1))
	// Output: true false
}

// Remainders of divisions by 12, with multiplications.
func ExampleModulus() {
	modulus := fallback.NewModulus(12)
	fmt.Println(modulus.Of(11), modulus.Of(12), modulus.Of(1<<32-1))
	// Output: 11 0 3
}
