// Command cold measures lookups in filters that are not in memory: behind an HTTP server with a latency, and in mapped
// files whose pages were dropped.
//
//	go -C bench run ./cold                          a set of 10^9 keys behind a server that waits for 10 ms
//	go -C bench run ./cold -disk -folder=/mnt/disk  pages a lookup, beside other filters (Linux), as JSON
//
// The set's parts are copies of one file, so that it needs the memory of one. The server is another process.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/simdbloom/simdbloom/bench/internal/machine"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/internal/test/measured"
	"github.com/simdbloom/simdbloom/internal/test/vectors"
	"github.com/simdbloom/simdbloom/policy"
	"github.com/simdbloom/simdbloom/ranges"
)

var (
	text     = flag.String("policy", "simdbloom.Linear:10", "the `policy` of the filters")
	keys     = flag.Float64("keys", 1e9, "the `number` of keys; with -disk 1.6e7")
	parts    = flag.Int("parts", 256, "the `number` of parts, a power of two")
	piece    = flag.Int("piece", 64<<10, "the `bytes` of a piece")
	latency  = flag.Duration("latency", 10*time.Millisecond, "what a request waits for")
	atOnce   = flag.Int("requests", 64, "the `number` of requests at once")
	memory   = flag.Int64("memory", 64<<20, "the `bytes` of WithMemory")
	cost     = flag.Int64("cost", 256<<10, "the `bytes` of WithReadCost")
	lines    = flag.Bool("lines", false, "WithoutChecks")
	disk     = flag.Bool("disk", false, "measure mapped files, not a server")
	folder   = flag.String("folder", "", "where files are written and removed: a temporary `folder` by default")
	serveSet = flag.Bool("serve", false, "be the server")

	out, clone string
)

func init() {
	measured.Out(flag.CommandLine, &out) // of -disk
	measured.Pages(flag.CommandLine, &clone)
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	var err error
	switch {
	case *serveSet:
		err = serve()
	case clone != "":
		err = measured.WritePages(clone, "cold.json", (*onDisk).files)
	case *disk:
		var r *onDisk
		if r, err = measureDisk(); err == nil {
			err = measured.Save(out, os.Stdout, r)
		}
	default:
		err = measureServer()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// serve serves the set, and prints its address.
func serve() error {
	p, err := policy.Parse(*text)
	if err != nil {
		return err
	}
	data, part, err := filterset.BuildPart(p, vectors.Hashes(1, int(*keys) / *parts), filterset.WithPieceBytes(*piece))
	if err != nil {
		return err
	}
	layer := filterset.Layer{ID: "0123456789abcdef", BitsPerKey: p.BitsPerKey(), Parts: slices.Repeat([]filterset.Part{part}, *parts)}
	manifest, err := filterset.Info{Format: p.Name(), Hash: p.Hash().Name(), Layers: []filterset.Layer{layer}}.MarshalText()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s %d\n", listener.Addr(), int64(*parts)*part.Bytes)
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(*latency)
		file := data
		if path.Base(r.URL.Path) == filterset.Manifest {
			file = manifest
		}
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file))
	}))
}

func measureServer() error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	server := exec.Command(own, append([]string{"-serve"}, os.Args[1:]...)...)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return err
	}
	defer server.Process.Kill()
	var address string
	var size int64
	if _, err := fmt.Fscan(out, &address, &size); err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	fmt.Println(measured.Describe())
	fmt.Printf("%s, %.3g keys in %d parts, %d MB, pieces of %d bytes, %v a request, %d at once, %d MiB of memory\n",
		*text, *keys, *parts, size/1e6, *piece, *latency, *atOnce, *memory>>20)
	fmt.Printf("%-28s %10s %12s %12s %10s %10s %10s %10s\n", "", "REQUESTS", "A KEY", "BYTES A KEY", "P50", "P99", "KEYS/S", "RSS MB")
	ctx := context.Background()
	reader, err := ranges.HTTP(nil, address)
	if err != nil {
		return err
	}
	options := []filterfile.OpenOption{filterfile.WithMemory(*memory), filterfile.WithConcurrency(*atOnce), filterfile.WithReadCost(*cost)}
	if *lines {
		options = append(options, filterfile.WithoutChecks())
	}
	set, err := filterset.OpenAt(ctx, reader, "", options...)
	if err != nil {
		return err
	}
	before := filterfile.Counters{}
	show := func(name string, n int, times []time.Duration, took time.Duration) {
		now := set.Counters()
		slices.Sort(times)
		fmt.Printf("%-28s %10d %12.3f %12.0f %10v %10v %10.0f %10d\n", name, now.Requests-before.Requests,
			float64(now.Requests-before.Requests)/float64(n), float64(now.Bytes-before.Bytes)/float64(n),
			times[len(times)/2].Round(100*time.Microsecond), times[len(times)*99/100].Round(100*time.Microsecond),
			float64(n)/took.Seconds(), machine.Peak()/1e6)
		before = now
	}
	begin := time.Now()
	warm := vectors.Hashes(2, 20**parts) // all headers
	if err := set.ContainsHashes(ctx, warm, make([]bool, len(warm))); err != nil {
		return err
	}
	show("opening all parts", *parts, []time.Duration{time.Since(begin)}, time.Since(begin))
	seed := uint64(3)
	for _, n := range []int{1, 10, 1000, 100_000} {
		calls, workers := max(2000/n, 3), min(*atOnce, 2000/min(n, 2000))
		hashes := vectors.Hashes(seed, calls*n)
		seed++
		times := make([]time.Duration, calls)
		var wait sync.WaitGroup
		next := make(chan int)
		begin := time.Now()
		for range max(workers, 1) {
			wait.Add(1)
			go func() {
				defer wait.Done()
				hits := make([]bool, n)
				for i := range next {
					begin := time.Now()
					if err := set.ContainsHashes(ctx, hashes[i*n:][:n], hits); err != nil {
						log.Fatal(err)
					}
					times[i] = time.Since(begin)
				}
			}()
		}
		for i := range calls {
			next <- i
		}
		close(next)
		wait.Wait()
		show(fmt.Sprintf("%d keys a call, %d calls", n, calls), calls*n, times, time.Since(begin))
	}
	fmt.Printf("%+v\n", set.Counters())
	return nil
}
