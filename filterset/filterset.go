// Package filterset builds and opens sets of filters: a set is a folder with many filter files, each for a part of the
// keys. It has any number of keys, more than fit in memory or in one filter.
//
//	b, err := filterset.NewBuilder("keys.set", policy.Linear(12), 1_000_000_000, 1<<30) // keys, bytes of memory
//	defer b.Close()
//	b.AddKeys(keys)
//	err = b.Finish(ctx)
//
//	s, err := filterset.Open("keys.set")
//	defer s.Close()
//	s.ContainsKeys(keys, hits)
//
// [Builder] works in bounded memory, [Merge] adds sets to a set, and [BuildPart] builds a part where many machines
// build a set. The format is in [docs/files.md].
//
// Errors wrap [simdbloom.ErrCorrupt] and [simdbloom.ErrUnknown] as in package filterfile.
//
// [docs/files.md]: https://github.com/simdbloom/simdbloom/blob/HEAD/docs/files.md#sets-of-filters
package filterset

import "fmt"

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("filterset: %w", err)
}
