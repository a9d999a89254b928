package dcso_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom/dcso"
)

// A file has the key "apple". Many keys are looked up at once.
func ExampleOpenFile() {
	m, err := dcso.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	m.AddString("apple")
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "fruit.bloom")
	if err := os.WriteFile(path, m.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}

	f, err := dcso.OpenFile(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	keys, hits := [][]byte{[]byte("apple"), []byte("cherry")}, make([]bool, 2)
	f.ContainsKeys(keys, hits)
	fmt.Println(f.Keys(), f.K(), hits)
	// Output: 1 10 [true false]
}

// The bytes are those that DCSO/bloom writes. It also writes them in gzip.
func ExampleNew() {
	m, err := dcso.New(10, 0.01)
	if err != nil {
		log.Fatal(err)
	}
	m.AddString("apple")
	m.SetData([]byte("fruit"))

	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	if _, err := z.Write(m.Bytes()); err != nil {
		log.Fatal(err)
	}
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := dcso.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n%s %v\n", f.Bytes()[:f.SizeBytes()], f.Data(), f.ContainsString("apple"))
	// Output:
	// 01000000000000000a000000000000007b14ae47e17a843f07000000000000005f00000000000000010000000000000010000040058000802000000000000000
	// fruit true
}

// A filter says what it was made for, and what its bits show.
func ExampleFilter() {
	m, err := dcso.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	m.AddString("apple")
	f := m.Filter()
	fmt.Println(f.Capacity(), f.FPR(), f.M(), f.K(), f.Keys(), f.Verify())
	// Output: 1000 0.001 14377 10 1 <nil>
}

// A file of flor 1.1.0 needs its rule.
func ExampleRule() {
	m, err := dcso.New(1000, 0.001)
	if err != nil {
		log.Fatal(err)
	}
	rule, err := dcso.ParseRule("multiply-wide")
	if err != nil {
		log.Fatal(err)
	}
	f := m.Filter().WithRule(rule)
	fmt.Println(m.Filter().Rule(), f.Rule())
	// Output: multiply multiply-wide
}
