package filterset

import (
	"context"
	"path"

	"github.com/simdbloom/simdbloom/filterfile"
	"github.com/simdbloom/simdbloom/internal/checked"
	"github.com/simdbloom/simdbloom/internal/cold"
)

// OpenAt opens the set of filters in the folder of the given name, "" for the one that ranges begins at. It reads the
// manifest, and the headers of parts when lookups need them. Options, lookups and their costs are those of
// [filterfile.OpenAt].
//
// Errors wrap [simdbloom.ErrCorrupt], [simdbloom.ErrUnknown], or those of ranges. A set that is replaced meanwhile
// stays the old one as long as its files are there. Then lookups return errors.
func OpenAt(ctx context.Context, ranges filterfile.Ranges, name string, options ...filterfile.OpenOption) (*filterfile.Remote, error) {
	o := checked.OptionsOf(options)
	o.Remote.Hash = o.Hash
	f, err := cold.New(ranges, o.Remote)
	if err != nil {
		return nil, wrap(err)
	}
	var info Info
	err = f.ReadText(ctx, path.Join(name, Manifest), func(text []byte) (err error) {
		info, err = readManifest(text)
		return err
	})
	if err == nil {
		err = f.UseSet(info.Format, layersAt(name, info))
	}
	if err != nil {
		return nil, wrap(err)
	}
	return (*filterfile.Remote)(f), nil
}

// layersAt returns the layers of a set in a folder.
func layersAt(dir string, info Info) (layers []cold.Layer) {
	for _, l := range info.Layers {
		shift, folder := partShift(len(l.Parts)), path.Join(dir, l.Folder())
		layers = append(layers, cold.Layer{
			Parts: len(l.Parts),
			Of:    func(hash uint64) int { return int(partOf(hash, shift)) },
			Part:  func(i int) cold.Part { return cold.Part(l.Parts[i]) },
			Name:  func(i int) string { return folder + "/" + PartFile(i) },
		})
	}
	return layers
}
