package simdbloom_test

import (
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/stored"
	"github.com/simdbloom/simdbloom/internal/test/contract"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/leveldb"
	"github.com/simdbloom/simdbloom/policy"
)

// TestHashOfTwoNames: LevelDB's filters with RocksDB's hash are recorded by the name that LevelDB's own had, and opened
// by either.
func TestHashOfTwoNames(t *testing.T) {
	key := []byte("smörgås\xe5") // LevelDB32 has another hash of it
	b := contract.Must(leveldb.NewBuilder(10, keyhash.LevelDB32Signed))
	b.Add(key)
	built := contract.Must(b.Filter())
	const name = "simdbloom.LevelDB.LevelDB32Signed"
	if built.Name() != name || built.Hash() != keyhash.RocksDB32 {
		t.Errorf("the name is %s, the hash %s", built.Name(), built.Hash().Name())
	}
	check := func(from string, f *simdbloom.Filter, err error) {
		if err != nil || !f.Contains(key) || f.Name() != name || f.Hash() != keyhash.RocksDB32 {
			t.Errorf("%s: %v, or it is another filter", from, err)
		}
	}
	for _, recorded := range []string{name, "simdbloom.LevelDB.RocksDB32"} {
		p := contract.Must(policy.ForName(recorded))
		f, err := p.Open(built.Bytes())
		check("policy of "+recorded, f, err)
		if !p.MayContain(built.Bytes(), key) || p.Name() != name {
			t.Errorf("the policy of %s lacks the key, or is named %s", recorded, p.Name())
		}
		for _, hash := range []keyhash.Hash{{}, keyhash.RocksDB32} {
			f, err := simdbloom.OpenNamed(recorded, built.Bytes(), hash)
			check(recorded, f, err)
		}
		file := contract.Must(stored.New(recorded, built.Bytes(), stored.PieceBytes))
		for _, to := range []*simdbloom.Filter{new(simdbloom.Filter), contract.Must(leveldb.Open(nil, keyhash.RocksDB32))} {
			err := to.UnmarshalBinary(file.AppendTo(nil))
			check("a file of "+recorded, to, err)
		}
	}
}
