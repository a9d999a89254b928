package redisbloom_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/redisbloom"
)

// scanDump stands for BFScanDump of a client of Redis. It returns the next iterator and data. The filter is
// that of BF.RESERVE fruit 0.01 1 and BF.ADD fruit apple.
func scanDump(iterator int64) (int64, string) {
	switch iterator {
	case 0:
		return 1, "\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00\x02\x00\x00\x00" +
			"\x08\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" +
			"\x7b\x14\xae\x47\xe1\x7a\x74\x3f\xe9\x86\x2f\xb2\x35\x0e\x26\x40" +
			"\x08\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00"
	case 1:
		return 9, "\x00\x11\x80\x08\x40\x04\x00\x22"
	}
	return 0, ""
}

// The data of all replies, one behind the other, are the dump.
func ExampleOpen() {
	var dump []byte
	for iterator, data := scanDump(0); iterator != 0; iterator, data = scanDump(iterator) {
		dump = append(dump, data...)
	}

	f, err := redisbloom.Open(dump)
	if err != nil {
		log.Fatal(err)
	}
	keys, hits := [][]byte{[]byte("apple"), []byte("cherry")}, make([]bool, 2)
	f.ContainsKeys(keys, hits)
	fmt.Println(f.Keys(), hits)
	// Output: 1 [true false]
}

// A script has put the data of all replies into a file.
func ExampleOpenFile() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "fruit.dump")
	_, header := scanDump(0)
	_, bits := scanDump(1)
	if err := os.WriteFile(path, []byte(header+bits), 0o600); err != nil {
		log.Fatal(err)
	}

	f, err := redisbloom.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Keys(), f.ContainsString("apple"), f.Verify())
	// Output: 1 true <nil>
}
