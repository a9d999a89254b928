package pebble_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"

	simdbloom "github.com/simdbloom/simdbloom/adapters/pebble"
)

// killedStore names, in the environment of a process that is to be killed, the directory of
// its store.
const killedStore = "SIMDBLOOM_TEST_KILLED_STORE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedStore); dir != "" {
		fmt.Fprintln(os.Stderr, writeUntilKilled(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// killedOptions make a store flush and compact all the time, through many levels, with a
// filter on each.
func killedOptions() *pebble.Options {
	o := &pebble.Options{
		FormatMajorVersion: pebble.FormatNewest, Comparer: comparer,
		MemTableSize: 64 << 10, L0CompactionThreshold: 2, LBaseMaxBytes: 64 << 10,
	}
	setPolicies(o, simdbloom.Paired(23.4), simdbloom.FastLocal(10))
	setTableSize(o, 32<<10)
	return o
}

func killedKey(i int) []byte {
	return strconv.AppendUint(nil, uint64(i)*0x9e3779b97f4a7c15, 36) // in no order
}

// writeUntilKilled writes keys from the number that it reads on, and prints how many there
// are after each commit that the store has acknowledged.
func writeUntilKilled(dir string) error {
	o := killedOptions()
	db, err := pebble.Open(dir, o)
	if err != nil {
		return err
	}
	var written int
	if _, err := fmt.Scan(&written); err != nil {
		return err
	}
	for {
		batch := db.NewBatch()
		for range 20 {
			if err := batch.Set(killedKey(written), valueOf(killedKey(written)), nil); err != nil {
				return err
			}
			written++
		}
		if err := batch.Commit(pebble.Sync); err != nil {
			return err
		}
		fmt.Println(written)
	}
}

func TestKilled(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(8, 20))
	kills, acknowledged := 20, 0
	if testing.Short() {
		kills = 2
	}
	for kill := range kills {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), killedStore+"="+dir)
		var said bytes.Buffer
		process.Stderr = &said
		in, err := process.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(in, acknowledged)
		lines := bufio.NewScanner(out)
		for range 20 + random.IntN(60) {
			if lines.Scan() {
				acknowledged, _ = strconv.Atoi(lines.Text())
			}
		}
		time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond) // in the midst of something
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what it had said before
			acknowledged, _ = strconv.Atoi(lines.Text())
		}
		process.Wait()
		if acknowledged == 0 || lines.Err() != nil {
			t.Fatalf("kill %d: %d keys, %v; %s", kill, acknowledged, lines.Err(), said.Bytes())
		}
		checkKilled(t, dir, acknowledged, !testing.Short() && kill == kills-1)
	}
}

// checkKilled finds all keys that were acknowledged; at last, when there are many, in tables
// of several levels.
func checkKilled(t *testing.T, dir string, acknowledged int, last bool) {
	t.Helper()
	o := killedOptions()
	o.Logger, o.ReadOnly = logger{t}, true
	db, err := pebble.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	s := store{db, t}
	keys := make([][]byte, acknowledged)
	for i := range keys {
		keys[i] = killedKey(i)
	}
	s.checkPresent(keys)
	rejected, levels := s.rejected(s.withL6, absentAmong(100)), 0
	for _, level := range s.Metrics().Levels {
		levels += int(min(numTables(level), 1))
	}
	if last && (rejected == 0 || levels < 2) {
		t.Errorf("%d keys in %d levels, %d times rejected", acknowledged, levels, rejected)
	}
	s.must(s.Close())
}
