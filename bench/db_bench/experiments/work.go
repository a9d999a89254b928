package experiments

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/results"
	"github.com/simdbloom/simdbloom/bench/internal/store"
	"github.com/simdbloom/simdbloom/internal/test/measured"
)

// work is one experiment.
type work struct {
	*experiment
	settings *settings
	bench    *dbBench
	log      io.Writer

	x   *results.Experiment // the results so far
	dir string              // of the stores
}

// run measures the experiment.
func (w *work) run(ctx context.Context) (err error) {
	if w.dir, err = os.MkdirTemp(w.settings.dir, "experiment"); err != nil {
		return err
	}
	defer os.RemoveAll(w.dir)
	w.x = &results.Experiment{
		Name: w.name, Begun: time.Now().UTC().Format(time.RFC3339Nano), Machine: measured.Describe(), Pebble: store.PebbleVersion(),
		Settings: w.settingsOf(w.settings), Contestants: w.contestants(),
	}
	if err := w.makeStores(ctx); err != nil {
		return err
	}
	return w.rounds(ctx)
}

// rounds has each contestant's turn in every round. No two experiments have the same random numbers.
func (w *work) rounds(ctx context.Context) error {
	begun, done, total := time.Now(), 0, w.x.Settings.Rounds*len(w.x.Contestants)
	for number := range w.x.Settings.Rounds {
		r := &results.Round{Order: w.order(), Turns: make(map[string]*results.Turn)}
		for _, name := range r.Order {
			text := fmt.Sprintf("%s: turn %d of %d: round %d, %s", w.name, done+1, total, number+1, name)
			if done > 0 {
				left := time.Since(begun) / time.Duration(done) * time.Duration(total-done)
				text += fmt.Sprintf(" (about %v left)", left.Round(time.Second))
			}
			fmt.Fprintln(w.log, text)
			turn, err := w.turn(ctx, w.contestant(name), number)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			r.Turns[name] = turn
			done++
		}
		w.x.Rounds = append(w.x.Rounds, r)
	}
	return nil
}

func (w *work) order() []string {
	var names []string
	for _, c := range w.x.Contestants {
		names = append(names, c.Name)
	}
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names
}

func (w *work) contestant(name string) *results.Contestant {
	i := slices.IndexFunc(w.x.Contestants, func(c *results.Contestant) bool { return c.Name == name })
	return w.x.Contestants[i]
}

// turn runs the benchmarks of a contestant.
func (w *work) turn(ctx context.Context, c *results.Contestant, round int) (*results.Turn, error) {
	args := []string{"-seed=" + w.seed(round)}
	if w.writes {
		dir := w.storeDir(c)
		defer os.RemoveAll(dir)
		args = append(args, "-db="+dir)
	} else {
		args = append(args, "-db="+w.storeDir(c), "-use_existing_db", "-disable_auto_compactions",
			fmt.Sprintf("-read_latency=%v", time.Duration(w.x.Settings.LatencyMicros*1e3)))
	}
	m, err := w.db(ctx, c, append(args, w.benchmarks(w.main, w.x.Settings.Operations)...)...)
	if err != nil {
		return nil, err
	}
	turn := &results.Turn{Benchmarks: m.Results, Memory: m.Memory, Background: m.Background, CPUSeconds: m.cpu.Seconds()}
	if w.writes && c.Store == nil {
		c.Store = m.Store
	}
	if w.more != "" {
		// Keys of another size in every round: missing keys that no earlier round looked up.
		args = append(args, fmt.Sprintf("-key_size=%d", keySize+round))
		m, err := w.db(ctx, c, append(args, w.benchmarks(w.more, w.x.Settings.Keys)...)...)
		if err != nil {
			return nil, err
		}
		turn.Benchmarks = append(turn.Benchmarks, m.Results...)
	}
	return turn, nil
}

// seed is another one for every turn that reads: no turn has an earlier one's queries. Turns
// that write have the same in a round: all write the same.
func (w *work) seed(round int) string {
	if w.writes {
		return fmt.Sprint(round + 1)
	}
	return fmt.Sprint(1 + rand.Int64N(1<<62))
}

// benchmarks are the arguments for the given number of operations of each.
func (w *work) benchmarks(names string, operations int64) []string {
	threads := int64(w.x.Settings.Threads)
	return []string{
		"-benchmarks=" + names, fmt.Sprintf("-threads=%d", threads),
		fmt.Sprintf("-reads=%d", (operations+threads-1)/threads), fmt.Sprintf("-writes=%d", operations),
	}
}

// db runs db_bench with the experiment's stores' shape, and a contestant's filter.
func (w *work) db(ctx context.Context, c *results.Contestant, args ...string) (*output, error) {
	flags := maps.Clone(shape)
	maps.Copy(flags, w.shape)
	flags["num"] = w.x.Settings.KeySpace
	flags["cache_size"] = w.x.Settings.CacheBytes
	var all []string
	for name, value := range flags {
		all = append(all, fmt.Sprintf("-%s=%d", name, value))
	}
	slices.Sort(all)
	if c != nil && c.Plain {
		all = append(all, "-l6_filters=false")
	}
	if c != nil && c.Filter != "" {
		all = append(all, "-filter_uri="+c.Filter)
	}
	if c != nil && c.Levels {
		all = append(all, "-keys_by_level="+keysByLevel(w.x.Source))
	}
	return w.bench.run(ctx, append(all, args...)...)
}

// shape is that of all stores: tables and levels are small enough for several of each, and each of
// the block cache's shards has room for some filters. A filter that a shard cannot hold is read again
// for every lookup.
var shape = map[string]int64{
	"write_buffer_size": 4 << 20, "max_write_buffer_number": 4,
	"target_file_size_base": 2 << 20, "max_bytes_for_level_base": 4 << 20, "level0_file_num_compaction_trigger": 2,
}

// fourLevels lets filllevels have L3 to L6.
var fourLevels = map[string]int64{"target_file_size_base": 16 << 20, "max_bytes_for_level_base": 1 << 10}

// keysByLevel is the value of the flag -keys_by_level.
func keysByLevel(d *store.Description) string {
	var keys [7]uint64
	for _, l := range d.Levels {
		keys[l.Level] = l.Keys
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(keys), " ", ","), "[]")
}

const keySize = 16 // bytes, as db_bench has it

// fileName is a contestant's name as a directory's.
func fileName(name string) string {
	return strings.NewReplacer(",", "", " ", "-", "/", "-").Replace(name)
}
