package hashlog

// busy tells that a goroutine is using a log. Like the flag of Go's maps it finds
// misuse most of the time, not always, and takes 0.3 ns of an Add. Without it, two
// goroutines in one log end in a panic about an index, or in a filter that lacks
// keys. (Checked in every Add but set only where memory is taken, it would cost as
// much, and find less.)
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

// End gives back what Begin claimed.
func (l *Log) End() { l.busy.end() }
