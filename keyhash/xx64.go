package keyhash

import "github.com/cespare/xxhash/v2"

func sumXX64(key []byte) uint64 { return xxhash.Sum64(key) }
