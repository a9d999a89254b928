package filterblock_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"slices"
	"sort"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterblock"
	"github.com/simdbloom/simdbloom/policy"
)

// fingerprints is a filter of your own: the upper halves of the keys' hashes, in order.
var fingerprints = policy.New("example.Fingerprints32", policy.Own{
	SizeBytes: func(keys int) int { return 4 * keys },
	Build: func(hashes []uint64) ([]byte, error) {
		slices.Sort(hashes)
		var data []byte
		for _, hash := range hashes {
			data = binary.BigEndian.AppendUint32(data, uint32(hash>>32))
		}
		return data, nil
	},
	MayContain: func(data []byte, hash uint64) bool {
		at := func(i int) uint32 { return binary.BigEndian.Uint32(data[4*i:]) }
		n, wanted := len(data)/4, uint32(hash>>32)
		i := sort.Search(n, func(i int) bool { return at(i) >= wanted })
		return i < n && at(i) == wanted || len(data)%4 != 0 // such bytes are no filter
	},
})

// A filter of your own in a table's block.
func Example_ownFilter() {
	w, err := filterblock.NewWriter(fingerprints, filterblock.Options{WholeKeys: true})
	if err != nil {
		log.Fatal(err)
	}
	w.Add([]byte("apple"))
	w.Add([]byte("banana"))
	block, err := w.Finish()
	if err != nil {
		log.Fatal(err)
	}
	recorded := fingerprints.Name() // the table has it beside the block

	p, err := policy.ForName(recorded, fingerprints)
	if err != nil {
		log.Fatal(err)
	}
	r, err := filterblock.Open(p, block, filterblock.ReadOptions{WholeKeys: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(block), "bytes:", r.MayContain([]byte("apple")), r.MayContain([]byte("cherry")))

	_, err = policy.ForName(recorded) // a program that does not know the filter
	fmt.Println("every key may be in the table:", errors.Is(err, simdbloom.ErrUnknown))
	// Output:
	// 8 bytes: true false
	// every key may be in the table: true
}
