package table_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdbloom/simdbloom/table"
)

// Does the filter have every key of its table?
func ExampleVerification() {
	file, t := opened("testdata/partitioned.sst")
	defer file.Close()
	v, err := t.Verify(context.Background(), table.VerifyOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Keys, "keys in", v.Blocks, "data blocks,", v.Missing, "are missing in the filter")
	for _, p := range v.Problems {
		fmt.Printf("the %s at %d: %v\n", p.Name, p.Offset, p.Err)
	}
	// Output: 1000 keys in 27 data blocks, 0 are missing in the filter
}
