package simdbloom_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/bloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/keyhash"
)

// A list of filters has room for any number of keys. A key that is absent from all of them is a false positive in any:
// their rates add up. So each filter has half the rate of the one before it, and twice the keys: the sum stays below
// the list's rate.
type list struct {
	rate    float64
	filters atomic.Pointer[[]*simdbloom.Concurrent] // the newest last
	added   atomic.Int64                            // to the newest
	growing sync.Mutex
}

// firstKeys is how many keys the first filter has room for.
const firstKeys = 10_000

func newList(rate float64) *list {
	l := &list{rate: rate}
	l.filters.Store(new([]*simdbloom.Concurrent))
	l.grow(0)
	return l
}

// grow adds a filter, unless another goroutine has.
func (l *list) grow(from int) {
	l.growing.Lock()
	defer l.growing.Unlock()
	if filters := *l.filters.Load(); len(filters) == from {
		newest := must(bloom.NewConcurrentForFPR(firstKeys<<from, l.rate/float64(int(2)<<from), keyhash.XX64))
		more := append(filters[:from:from], newest)
		l.added.Store(0)
		l.filters.Store(&more)
	}
}

func (l *list) contains(key string) bool {
	hash := keyhash.XX64.Sum64String(key)
	for _, f := range *l.filters.Load() {
		if f.ContainsHash(hash) {
			return true
		}
	}
	return false
}

func (l *list) add(key string) {
	if l.contains(key) {
		return
	}
	filters := *l.filters.Load()
	newest := filters[len(filters)-1]
	if newest.AddStringIfAbsent(key) && l.added.Add(1) >= firstKeys<<(len(filters)-1) {
		l.grow(len(filters))
	}
}

// save writes a file for each filter: see also the example Restart of filterfile.WriteFile.
func (l *list) save(dir string) error {
	for i, f := range *l.filters.Load() {
		if err := filterfile.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.filter", i)), f); err != nil {
			return err
		}
	}
	return nil
}

// open reads the files that save wrote.
func open(dir string, rate float64) (*list, error) {
	var filters []*simdbloom.Concurrent
	for {
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%02d.filter", len(filters))))
		if errors.Is(err, fs.ErrNotExist) && len(filters) > 0 {
			l := &list{rate: rate}
			l.filters.Store(&filters)
			l.added.Store(int64(filters[len(filters)-1].EstimatedKeys()))
			return l, nil
		}
		f := new(simdbloom.Concurrent)
		if err == nil {
			err = f.UnmarshalBinary(data) // checksums are verified
		}
		if err != nil {
			return nil, err
		}
		filters = append(filters, f)
	}
}

// The number of keys is unknown: a list of filters with falling rates, which many goroutines fill, and which is stored
// and read again.
func ExampleConcurrent_list() {
	dir := must(os.MkdirTemp("", "list"))
	defer os.RemoveAll(dir)

	l := newList(0.01)
	for run := range 2 {
		var adding sync.WaitGroup
		for worker := range 4 {
			adding.Add(1)
			go func() {
				defer adding.Done()
				for i := range 10_000 {
					l.add(fmt.Sprintf("run %d, worker %d, key %d", run, worker, i))
				}
			}()
		}
		adding.Wait()
		if err := l.save(dir); err != nil {
			fmt.Println(err)
		}
		l = must(open(dir, 0.01)) // after a restart
	}
	found, rate := 0, 0.0
	for i := range 10_000 {
		if l.contains(fmt.Sprintf("run 0, worker 3, key %d", i)) {
			found++
		}
	}
	for _, f := range *l.filters.Load() {
		rate += f.EstimatedFPR()
	}
	fmt.Println(len(*l.filters.Load()), "filters,", found, "keys found, rate below 1 %:", rate < 0.01)
	// Output: 4 filters, 10000 keys found, rate below 1 %: true
}
