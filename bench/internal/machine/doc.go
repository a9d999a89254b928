// Package machine keeps a benchmark on one CPU, and knows its memory.
package machine
