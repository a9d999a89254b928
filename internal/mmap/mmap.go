// Package mmap maps files into memory, where the system can, and tells it which parts are about to be needed.
package mmap
