package policy

// alwaysTrueBytes is the length of what RocksDB writes where it gives a filter up:
// zeros, which every reader, RocksDB's and Speedb's included, takes for "may contain
// everything".
const alwaysTrueBytes = 6

// AppendFilter is b.AppendFinish for databases whose interface returns no error. If
// the filter cannot be built (too many keys for the format, or verification failed)
// it appends RocksDB's six zero bytes, an always-true filter, and empties the builder.
func AppendFilter(dst []byte, b Builder) []byte {
	data, err := b.AppendFinish(dst)
	if err != nil {
		b.Reset()
		return appendAlwaysTrue(dst)
	}
	return data
}

func appendAlwaysTrue(dst []byte) []byte { return append(dst, make([]byte, alwaysTrueBytes)...) }

// alwaysTrueBuilder only counts keys.
type alwaysTrueBuilder struct{ keys int }

func (b *alwaysTrueBuilder) Add([]byte) { b.keys++ }

func (b *alwaysTrueBuilder) AddString(string) { b.keys++ }

func (b *alwaysTrueBuilder) AddKeys(keys [][]byte) { b.keys += len(keys) }

func (b *alwaysTrueBuilder) AddHash(uint64) { b.keys++ }

func (b *alwaysTrueBuilder) AddHashes(hashes []uint64) { b.keys += len(hashes) }

func (b *alwaysTrueBuilder) Len() int { return b.keys }

func (b *alwaysTrueBuilder) SizeBytes() int { return alwaysTrueBytes }

func (b *alwaysTrueBuilder) Finish() ([]byte, error) { return b.AppendFinish(nil) }

func (b *alwaysTrueBuilder) AppendFinish(dst []byte) ([]byte, error) {
	b.Reset()
	return appendAlwaysTrue(dst), nil
}

func (b *alwaysTrueBuilder) Reset() { b.keys = 0 }
