// Package filterfile stores one filter in one file, or in a slice of bytes, with its format, its
// key hash, the number of its keys, and checksums of every byte. Package [filterset] has sets of
// such files, for any number of keys.
//
//	err := filterfile.WriteFile("keys.filter", f, filterfile.WithKeys(n)) // a filter of any package
//
//	g, err := filterfile.Open("keys.filter") // mapped into memory, and checked
//	defer g.Close()
//	g.Contains(key)
//
// [Write] and [Read] do the same with streams, [Append] and [OpenBytes] with bytes. [Open],
// [OpenBytes] and [Read] return a [File] with the recorded key hash: it cannot be queried with another
// one. A filter whose hash is from [keyhash.New] needs it again: see
// [WithHash].
//
// By default all checksums are compared at once, at the speed of memory. [WithLazyCheck] does
// it when lookups need the bytes.
//
// # Encoders
//
// [simdbloom.Filter], [simdbloom.Mutable] and [simdbloom.Concurrent] are [encoding.BinaryMarshaler],
// [encoding.BinaryAppender], [encoding.BinaryUnmarshaler], [io.WriterTo] and [io.ReaderFrom], with
// the same bytes as a file. So filters can be fields of values that encoding/gob encodes, values
// in a key-value store, and bodies of HTTP requests. To record the number of keys, too, encode the Filter of [New].
//
// Errors about wrong bytes wrap [simdbloom.ErrCorrupt]: a wrong checksum, a file that is cut short or followed by
// something, another kind of file, and a version that this one cannot read. Errors about intact files whose format or
// key hash this program does not know, or is not the one of [WithHash], wrap [simdbloom.ErrUnknown].
//
// [docs/files.md] has the format.
//
// [filterset]: https://pkg.go.dev/github.com/simdbloom/simdbloom/filterset
// [docs/files.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/files.md#the-format
package filterfile

import "fmt"

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("filterfile: %w", err)
}
