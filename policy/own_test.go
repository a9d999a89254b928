package policy_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/internal/building"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/policy"
)

// lowBytes is a set of the lowest bytes of hashes.
func lowBytes() policy.Own {
	return policy.Own{
		SizeBytes: func(keys int) int { return keys },
		Build: func(hashes []uint64) (data []byte, err error) {
			for i, hash := range hashes {
				data = append(data, byte(hash))
				hashes[i] = 0 // which is allowed
			}
			return data, nil
		},
		MayContain: func(data []byte, hash uint64) bool { return bytes.IndexByte(data, byte(hash)) >= 0 },
	}
}

func TestOwn(t *testing.T) {
	p := policy.New("example.LowBytes", lowBytes())
	if p.Name() != "example.LowBytes" || p.String() != p.Name() || p.Hash() != keyhash.XX64 || p.Format() != simdbloom.Reserved || !math.IsNaN(p.PredictedFPR(10)) {
		t.Errorf("%v, %s, %v, %v", p, p.Name(), p.Hash(), p.Format())
	}
	for _, options := range [][]simdbloom.Option{nil, {simdbloom.WithVerification(), simdbloom.WithConcurrency(3), policy.WithLevel(2), building.WithRoundDown}} {
		b := p.NewBuilder(options...)
		for range 2 {
			for i := range 5000 {
				b.AddUint64(uint64(i))
			}
			data, err := b.AppendFinish([]byte("before"))
			if err != nil || len(data) != 5006 || b.Len() != 0 || p.SizeBytes(5000) != 5000 || p.SizeBytes(1) != 1 || p.SizeBytes(0) != 0 || p.KeysFor(5000) != 5000 {
				t.Fatalf("%d bytes, %v", len(data), err)
			}
			if !p.MayContain(data[6:], []byte{1, 0, 0, 0, 0, 0, 0, 0}) || !p.MayContainHash(data[6:], 7) || !p.HashApplies(data) || p.MayContainHash(data[6:7], uint64(data[6])+1) {
				t.Error("a key is missing, or another one is there")
			}
		}
		if data, err := b.Finish(); err != nil || len(data) != 0 || p.MayContainHash(data, 1) {
			t.Errorf("without keys: %d bytes, %v", len(data), err)
		}
		b.AddHash(1)
		if f, err := b.Filter(); err == nil {
			t.Errorf("a Filter of no format: %v", f)
		}
	}
	if _, err := p.Open([]byte("bytes")); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Errorf("Open: %v", err)
	}
	if _, err := p.ByLevel(1000); err == nil {
		t.Error("ByLevel has bits per key for it")
	}
	small := lowBytes()
	small.SizeBytes = func(int) int { return 1 }
	if n := policy.New("example.OneByte", small).KeysFor(1); n != 1<<30 {
		t.Errorf("room for %d keys where one byte is for any number", n)
	}
	if p.KeysFor(1000, simdbloom.WithMaxBytes(10)) != 0 || p.SizeBytes(10, simdbloom.WithSizeBytes(9)) != 0 {
		t.Error("options that it does not have are no errors")
	}
}

// TestOwnThatCannotBeBuilt is written as zeros, which may contain every key.
func TestOwnThatCannotBeBuilt(t *testing.T) {
	own := lowBytes()
	own.Build = func([]uint64) ([]byte, error) { return nil, errors.New("not today") }
	p := policy.New("example.NotToday", own)
	b := p.NewBuilder()
	b.AddHash(77)
	if data := policy.AppendFilter(nil, b); !p.MayContainHash(data, 77) || !p.MayContain(data, []byte("any key")) {
		t.Errorf("% x lacks the key", data)
	}
}

func TestOwnByName(t *testing.T) {
	own, other := policy.New("example.A", lowBytes()), policy.New("example.B", lowBytes())
	if p, err := policy.ForName("example.B", own, other); p != other || err != nil {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := policy.ForName("rocksdb.BuiltinBloomFilter", own); err != nil || p.Format() != simdbloom.FastLocal {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := policy.ForName("example.C", own, other); !errors.Is(err, simdbloom.ErrUnknown) {
		t.Errorf("%v, %v", p, err)
	}
}

func TestNewPanics(t *testing.T) {
	names := []string{"", "rocksdb.BuiltinBloomFilter", "simdbloom.Linear.XX64", "simdbloom.Mine", "leveldb.BuiltinBloomFilter2"}
	for i, call := range slices.Concat(
		[]func(){
			func() { policy.New("example.A", policy.Own{}) },
			func() { o := lowBytes(); o.Build = nil; policy.New("example.A", o) },
			func() { o := lowBytes(); o.MayContain = nil; policy.New("example.A", o) },
			func() { policy.New("example.A", lowBytes()).NewBuilder(simdbloom.WithMaxBytes(100)) },
			func() { policy.New("example.A", lowBytes()).NewBuilder(simdbloom.WithConcurrency(0)) },
		},
		func() (calls []func()) {
			for _, name := range names {
				calls = append(calls, func() { policy.New(name, lowBytes()) })
			}
			return calls
		}(),
	) {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, ": ") {
					t.Errorf("call %d: %s", i, said)
				}
			}()
			call()
		}()
	}
}
