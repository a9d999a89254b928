package vectors

// Blobloom has the results of the Go module blobloom v0.8.0.
type Blobloom struct {
	OneKey []struct { // the block of a filter of one, with one key
		K     int
		Hash  Hex64
		Bytes Hex
	} `json:"one_key"`
	Whole []struct { // dumps of filters of Z blocks, with the seed Z's first N hashes
		Z, K, N int
		Comment string
		XXH64   Hex64
	}
}

// Blobloom08 returns them.
func Blobloom08() Blobloom { return load[Blobloom]("blobloom.json") }
