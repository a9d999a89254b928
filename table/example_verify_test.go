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
	fmt.Println(v.Keys, "keys in", v.Blocks, "data blocks, sound:", v.Sound())
	if v.FirstMissing != nil {
		fmt.Printf("%d keys are missing, first %q in the %v at %d\n", v.Missing, v.FirstMissing.Key, v.FirstMissing.Block, v.FirstMissing.Block.Offset)
	}
	for _, d := range v.Damaged {
		fmt.Printf("the %v at %d: %v\n", d.Block, d.Block.Offset, d.Err)
	}
	// Output: 1000 keys in 27 data blocks, sound: true
}
