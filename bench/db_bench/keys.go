package main

// keyMaker makes a key of a number, with the bytes of RocksDB's db_bench
// (GenerateKeyFromInt): a prefix if numbers share prefixes, the number, and a padding of '0'.
type keyMaker struct {
	size     int
	prefix   int   // bytes of the prefix
	prefixes int64 // number of different prefixes, or 0 if the prefix is what the number begins with
}

// key writes the key of a number to buf, which has the size of a key, and returns it.
func (k keyMaker) key(buf []byte, number int64) []byte {
	rest := buf
	if k.prefixes > 0 {
		bigEndian(rest[:min(k.prefix, 8)], number%k.prefixes)
		pad(rest[min(k.prefix, 8):k.prefix])
		rest = rest[k.prefix:]
	}
	bigEndian(rest[:min(len(rest), 8)], number)
	pad(rest[min(len(rest), 8):])
	return buf
}

// numberBytes returns in how many bytes of a key its number is.
func (k keyMaker) numberBytes() int {
	if k.prefixes > 0 {
		return min(8, k.size-k.prefix)
	}
	return min(8, k.size)
}

// bigEndian fills dst with the low bytes of a number, the lowest last.
func bigEndian(dst []byte, number int64) {
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = byte(number)
		number >>= 8
	}
}

func pad(dst []byte) {
	for i := range dst {
		dst[i] = '0'
	}
}
