// Package pages makes memory of ordinary or of huge pages, since page tables decide how fast
// random lookups in a large filter are.
package pages

import "fmt"

// Kind is a kind of pages.
type Kind uint8

// The kinds of pages.
const (
	Ordinary Kind = iota
	Huge
)

// HugeBytes is a huge page on amd64, and on arm64 with pages of 4 KiB.
const HugeBytes = 2 << 20

var names = [...]string{Ordinary: "ordinary", Huge: "huge"}

// String returns "ordinary" or "huge".
func (k Kind) String() string {
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("pages.Kind(%d)", uint8(k))
}

// MarshalText returns the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText takes the name of a kind that this system lets a program choose.
func (k *Kind) UnmarshalText(name []byte) error {
	switch string(name) {
	case Ordinary.String():
		*k = Ordinary
	case Huge.String():
		if Default != Huge {
			return fmt.Errorf("%q pages are for linux only", name)
		}
		*k = Huge
	default:
		return fmt.Errorf("%q is neither ordinary nor huge", name)
	}
	return nil
}
