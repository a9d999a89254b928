package fuzz

import (
	"bytes"
	"testing"

	"github.com/simdbloom/simdbloom/internal/test/naive"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/keyhash"
	"github.com/simdbloom/simdbloom/ribbon"
)

func FuzzOpenRibbon(f *testing.F) {
	addBytes(f, func(data []byte) { f.Add(data, queries) })
	for _, v := range vectors.RibbonReader() {
		if v.BodyLen <= 160 {
			f.Add(v.Data(), queries)
		}
	}
	f.Add(append(bytes.Repeat([]byte{0x9b}, 1056), 0xfe, 77, 2, 0, 0), queries)
	f.Add(append(bytes.Repeat([]byte{0x9b}, 1056), 0xfe, 77, 0xff, 0xff, 0xff), queries)
	f.Fuzz(func(t *testing.T, data, queried []byte) {
		checkOpened(t, data, queried, func(data []byte) (opened, error) {
			filter, err := ribbon.Open(data, keyhash.XXPH3)
			o := opened{mayContain: ribbon.MayContainHash}
			if err != nil {
				return o, err
			}
			o.Filter, o.copyAligned = filter, filter.CopyAligned()
			o.verify = func() error { return nil }
			o.want = func(hash uint64) bool {
				switch filter.Kind() {
				case ribbon.Ribbon:
					return naive.RibbonContains(data, hash)
				case ribbon.FastLocal:
					body := data[:(len(data)-5)&^63]
					return naive.FastLocalContains(body, int(data[len(data)-3]&31), hash)
				}
				return filter.Kind() != ribbon.Empty
			}
			return o, nil
		})
	})
}
