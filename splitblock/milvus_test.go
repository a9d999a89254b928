package splitblock_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/splitblock"
)

// Milvus 3.0's filter membership_match(field, {template}, type=bloom) has these bytes as its template: a split-block
// filter of XX64, which has a power of two of blocks, behind a header of 32 bytes. It takes rates of 0.0001 to 0.05.
func Example_milvus() {
	const fpr = 0.001
	ids := []int64{math.MinInt64, -1, 0, 1, 2, 42, 1_000_000_007, math.MaxInt64} // also of smaller integers
	b, err := splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(splitblock.SizeFor(len(ids), fpr)))
	if err != nil {
		log.Fatal(err)
	}
	b.AddColumn(keyhash.Values(ids)) // or AddString
	bits, err := b.Finish()
	if err != nil {
		log.Fatal(err)
	}
	blob := milvusHeader(len(ids), fpr, len(bits), 1)
	blob = append(blob, bits...)
	fmt.Printf("%x\n%x\n", blob[:32], blob[32:])

	f, err := splitblock.Open(blob[32:], keyhash.XX64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.ContainsUint64(42), f.ContainsUint64(43))
	// Output:
	// 4d424631010001000800000000000000fca9f1d24d62503f0100000001000000
	// 0117100a804845062834804200440612100448a40680089c4040542838410046
	// true false
}

// milvusHeader returns the header of a filter of n keys. Domains are 1 for integers, 2 for strings, and their sum.
func milvusHeader(n int, fpr float64, filterBytes int, domains byte) []byte {
	header := []byte("MBF1\x01\x00\x01\x00") // version 1, algorithm 1
	header = binary.LittleEndian.AppendUint64(header, uint64(n))
	header = binary.LittleEndian.AppendUint64(header, math.Float64bits(fpr))
	header = binary.LittleEndian.AppendUint32(header, uint32(filterBytes/32))
	return append(header, domains, 0, 0, 0)
}

// TestMilvusVectors builds the blobs of Milvus's golden vectors, and of Arrow's filter in C++, of the folders
// client/sbbf/testdata and client/membership/sbbf/testdata in github.com/milvus-io/milvus.
func TestMilvusVectors(t *testing.T) {
	var vectors []struct {
		Name          string
		FPR           float64
		Ints          []int64
		Strings       []string
		AbsentInts    []int64  `json:"absent_ints"`
		AbsentStrings []string `json:"absent_strings"`
		Blob          string
	}
	if err := json.Unmarshal(contract.Must(os.ReadFile("testdata/milvus.json")), &vectors); err != nil || len(vectors) != 4 {
		t.Fatal(len(vectors), err)
	}
	for _, v := range vectors {
		n, domains := len(v.Ints)+len(v.Strings), byte(0)
		b := contract.Must(splitblock.NewBuilder(10, keyhash.XX64, simdbloom.WithSizeBytes(splitblock.SizeFor(n, v.FPR))))
		if b.AddColumn(keyhash.Values(v.Ints)); len(v.Ints) > 0 {
			domains |= 1
		}
		for _, s := range v.Strings {
			b.AddString(s)
			domains |= 2
		}
		bits := contract.Must(b.Finish())
		blob := append(milvusHeader(n, v.FPR, len(bits), domains), bits...)
		if want := contract.Must(hex.DecodeString(v.Blob)); !bytes.Equal(blob, want) {
			t.Errorf("%s:\n%x, want\n%x", v.Name, blob, want)
		}
		f := contract.Must(splitblock.Open(bits, keyhash.XX64))
		for i, ints := range [][]int64{v.AbsentInts, v.Ints} {
			for _, value := range ints {
				if f.ContainsUint64(uint64(value)) != (i == 1) {
					t.Errorf("%s: %d is in it: %v", v.Name, value, i == 0)
				}
			}
		}
		for i, texts := range [][]string{v.AbsentStrings, v.Strings} {
			for _, value := range texts {
				if f.ContainsString(value) != (i == 1) {
					t.Errorf("%s: %q is in it: %v", v.Name, value, i == 0)
				}
			}
		}
	}
}
