package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/simdbloom/simdbloom"
	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/filterset"
	"github.com/simdbloom/simdbloom/ranges"
)

const aboutRemote = `A name that begins with https:// or http:// is a set's or a filter file's address, of which ranges are read.`

// isRemote reports whether a name is an address.
func isRemote(name string) bool {
	return strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://")
}

// remote is a set or a filter file behind an address.
type remote struct {
	*filterfile.Remote
	ctx    context.Context
	layers []filterset.Layer

	mu     sync.Mutex
	failed error // the first error of a lookup
}

func openRemote(ctx context.Context, address string) (*remote, error) {
	folder, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	name := path.Base(folder.Path)
	folder.Path, folder.RawPath = path.Dir(strings.TrimRight(folder.Path, "/")), ""
	if name == "/" || name == "." {
		name, folder.Path = "", ""
	}
	server, err := ranges.HTTP(nil, folder.String())
	if err != nil {
		return nil, err
	}
	kept := &keptManifest{Ranges: server}
	opened, none := filterset.OpenAt(ctx, kept, name)
	if none == nil {
		var info filterset.Info
		if err := info.UnmarshalText(kept.text()); err != nil {
			return nil, err
		}
		return &remote{Remote: opened, ctx: ctx, layers: info.Layers}, nil
	}
	if opened, err = filterfile.OpenAt(ctx, server, name); err == nil {
		return &remote{Remote: opened, ctx: ctx}, nil
	}
	if errors.Is(none, simdbloom.ErrCorrupt) || errors.Is(err, fs.ErrNotExist) && !errors.Is(none, fs.ErrNotExist) {
		err = none // about the set
	}
	return nil, fmt.Errorf("%s: %s", address, withoutPackage(err))
}

// ContainsHashes looks up keys, of which those that could not be looked up may be contained.
func (r *remote) ContainsHashes(hashes []uint64, hits []bool) {
	if err := r.Remote.ContainsHashes(r.ctx, hashes, hits); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.failed == nil {
			r.failed = err
		}
	}
}

func (r *remote) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *remote) Close() error { return nil }

// keptManifest keeps the bytes of a manifest, which records how keys were read from lists.
type keptManifest struct {
	filterfile.Ranges
	read []byte
}

func (k *keptManifest) ReadRange(ctx context.Context, name string, p []byte, off int64) error {
	err := k.Ranges.ReadRange(ctx, name, p, off)
	if path.Base(name) == filterset.Manifest { // one range after the other, before anything else
		k.read = append(k.read[:off:off], p...)
	}
	return err
}

func (k *keptManifest) text() []byte { return bytes.TrimRight(k.read, "\x00") }
