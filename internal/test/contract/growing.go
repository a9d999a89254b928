package contract

import "testing"

// TestGrowing runs the tests of the contract that a filter keeps, too, which takes keys while
// it is queried. NewBuilder adds keys to such a filter, and Open goes on with its bytes.
func TestGrowing(t *testing.T, p Package) {
	t.Run("every setting contains what was added", p.testEverySetting)
	t.Run("all queries agree", p.testQueriesAgree)
	t.Run("ContainsKeys with any key hash", p.testKeyHashes)
	t.Run("short answers panic", p.testShortAnswersPanic)
	t.Run("queries allocate nothing", p.testAllocations)
	t.Run("AppendHits makes room once", p.testRoomForHits)
	t.Run("readers in parallel", p.testParallelReaders)
}
