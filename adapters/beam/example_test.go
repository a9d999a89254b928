package beam_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/debug"

	filters "github.com/simdbloom/simdbloom/adapters/beam"
	"github.com/simdbloom/simdbloom/filterset"
)

// Programs call beam.Init first, and run pipelines by beamx.Run.
func ExampleBuildSet() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	folder = filepath.Join(folder, "set")

	p, s := beam.NewPipelineWithRoot()
	filters.BuildSet(s, filters.Set{Dir: folder, Policy: "simdbloom.Linear:16", Parts: 4}, beam.Create(s, "apple", "banana"))
	if err := ptest.Run(p); err != nil {
		log.Fatal(err)
	}

	set, err := filterset.Open(folder)
	if err != nil {
		log.Fatal(err)
	}
	defer set.Close()
	fmt.Println(set.ContainsString("apple"), set.ContainsString("cherry"))
	// Output: true false
}

// A semi-join: of the orders, those of customers who may be in the other collection stay.
func ExampleMayContain() {
	p, s := beam.NewPipelineWithRoot()
	customers := beam.Create(s, uint64(7), uint64(11))
	orders := beam.Create(s, uint64(7), uint64(8), uint64(9))
	filter := filters.BuildFilter(s, filters.Filter{Policy: "simdbloom.FastLocal:16", Keys: 1000}, customers)
	debug.Print(s, filters.MayContain(s, filter, orders)) // logs 7
	if err := ptest.Run(p); err != nil {
		log.Fatal(err)
	}
	// Output:
}

func ExampleSet_Check() {
	set := filters.Set{Dir: "set", Policy: "simdbloom.Linear:16", Parts: 3}
	fmt.Println(set.Check())
	// Output: beam: the number of parts must be a power of two up to 16384, not 3
}

func ExampleFilter_Check() {
	fmt.Println(filters.Filter{Policy: "simdbloom.Linear:16", Keys: 1000}.Check() != nil) // bits of Linear filters have no union
	// Output: true
}
