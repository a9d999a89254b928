package hashlog

// busy tells that a goroutine is using a log. Like the flag of Go's maps it finds misuse
// most of the time, not always, and costs a fraction of a nanosecond for each Add. Without
// it, two goroutines in one log cause a panic about an index, or a filter that lacks keys.
// (Checking it in every Add but setting it only where memory is taken would cost as much,
// and find less.)
type busy bool

func (b *busy) begin() {
	if *b {
		panicBusy()
	}
	*b = true
}

func (b *busy) end() { *b = false }

//go:noinline
func panicBusy() { panic("simdbloom: concurrent use of a Builder") }

// Begin claims the log for a goroutine that calls Flush or Reset, or reads the hashes.
// It panics if another goroutine is using the log. Until End, Add, AddAll and Begin
// panic. (Add and AddAll claim the log by themselves.)
func (l *Log) Begin() { l.busy.begin() }

// Busy reports whether Begin would panic.
func (l *Log) Busy() bool { return bool(l.busy) }

// End ends the claim of Begin.
func (l *Log) End() { l.busy.end() }
