package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/keyhash"
)

func main() {
	const users = 100_000
	seen := must(bloom.NewMutableForFPR(users, 0.01, keyhash.XX64)) // was bloom.NewWithEstimates(users, 0.01)
	for i := range users {
		seen.AddString(fmt.Sprint("user", i))
	}
	for _, name := range []string{"user7", "apple", "apple"} {
		if seen.AddStringIfAbsent(name) { // was !seen.TestAndAddString(name)
			fmt.Println("new:", name)
		}
	}

	dir := must(os.MkdirTemp("", "seen"))
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "filter")
	if err := os.WriteFile(name, must(seen.MarshalBinary()), 0o600); err != nil {
		log.Fatal(err)
	}

	again := new(simdbloom.Mutable)                                        // was bloom.BloomFilter
	if err := again.UnmarshalBinary(must(os.ReadFile(name))); err != nil { // checked
		log.Fatal(err)
	}
	fmt.Println(again.ContainsString("apple"), again.ContainsString("quince")) // was TestString
	fmt.Printf("about %.0f thousand keys\n", again.EstimatedKeys()/1000)       // was ApproximatedSize
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
