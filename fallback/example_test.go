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
