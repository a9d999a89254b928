package filterset

import (
	"fmt"
	"runtime"

	"github.com/simdbloom/simdbloom/internal/stored"
)

// Option is an option of [NewBuilder] and [BuildPart]. If one is given twice, the last one counts. A nil one
// changes nothing.
type Option func(*options)

type options struct {
	parts      int // or 0
	distinct   bool
	input      string
	layer      bool
	goroutines int
	pieceBytes int
	progress   func(Progress)
}

// WithParts sets the number of parts, a power of two up to 16,384. Without it a part has at most about
// 4 million keys, up to that number of parts, and so with 0. Any other number is an error.
func WithParts(n int) Option { return func(o *options) { o.parts = n } }

// WithDistinct drops keys that were added before: the same key hash in the same layer. Without it they take
// room as other keys do. It sorts each part's hashes, which costs tens of nanoseconds a key, and 16 bytes
// a key of a part.
func WithDistinct() Option { return func(o *options) { o.distinct = true } }

// WithLayer adds the keys as a layer to the set that is in the folder, which keeps its keys. Without it, and if
// there is no set, the keys are the whole set. The set must have the same format and key hash. A lookup reads
// each layer, and false-positive rates add up: a few layers are fine, hundreds are slow.
func WithLayer() Option { return func(o *options) { o.layer = true } }

// WithInput records in the layer how its keys were read from lists, such as in which case: printable text of at most
// 1,024 bytes, or else an error. Readers find it in [Layer]; lookups do not depend on it. The command simdbloom records
// its flags, and gives them to later calls. Without it nothing is recorded.
func WithInput(text string) Option { return func(o *options) { o.input = text } }

// WithConcurrency sets the largest number of goroutines that build parts. Without it there are GOMAXPROCS.
// It is an error if n is below 1.
func WithConcurrency(n int) Option { return func(o *options) { o.goroutines = n } }

// WithPieceBytes sets the size of the pieces that have a checksum each, as [filterfile.WithPieceBytes]: with 4 KiB, a
// lookup in a set that is opened lazily or at a distance reads a page.
func WithPieceBytes(n int) Option { return func(o *options) { o.pieceBytes = n } }

// WithProgress has report called now and then, at most some thousand times in each phase, and at its end. Calls
// come from several goroutines, but not two at once. It must not call the builder.
func WithProgress(report func(Progress)) Option {
	return func(o *options) { o.progress = report }
}

// The phases of a Builder.
const (
	addingKeys    = "adding keys"
	buildingParts = "building parts"
)

// Progress is a Builder's progress in a phase.
type Progress struct {
	// Phase is "adding keys", when hashes are put in order of their parts, on disk if they are many, or "building
	// parts", when parts are built and written.
	Phase string
	Done  int64 // keys
	Total int64 // keys, or 0 if it is unknown
}

func optionsOf(given []Option) (options, error) {
	o := options{goroutines: runtime.GOMAXPROCS(0), pieceBytes: stored.PieceBytes}
	for _, option := range given {
		if option != nil {
			option(&o)
		}
	}
	if o.parts != 0 && (o.parts < 1 || o.parts > mostParts || o.parts&(o.parts-1) != 0) {
		return o, fmt.Errorf("filterset: WithParts must be a power of two up to %d, not %d", mostParts, o.parts)
	}
	if o.goroutines < 1 {
		return o, fmt.Errorf("filterset: WithConcurrency must be at least 1, not %d", o.goroutines)
	}
	if err := stored.CheckPieceBytes(o.pieceBytes); err != nil {
		return o, wrap(err)
	}
	if err := checkInput(o.input); err != nil {
		return o, fmt.Errorf("filterset: WithInput: %w", err)
	}
	return o, nil
}
