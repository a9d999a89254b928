// Package tables has tables that are computed when they are first used: a program computes none that it does not need.
package tables

import "sync"

// A Table is rows that are computed once. Rows are at its beginning, where assembly reads them. Like every variable
// without a value, it takes no room in a program's file, and nothing when the program starts.
type Table[Rows any] struct {
	rows Rows
	once sync.Once
}

// Of returns the rows, which fill has computed: at the first call, which others wait for. Later ones cost a load.
func (t *Table[Rows]) Of(fill func(*Rows)) *Rows {
	t.once.Do(func() { fill(&t.rows) })
	return &t.rows
}
