// Package powercut tests that files survive if the power fails while a program writes them.
//
// It runs the writer under strace (Linux), which records every call that changes files: create, write, truncate,
// rename, link, unlink, mkdir and fsync. Then it cuts: after each number of recorded operations, it makes the folders
// that a file system may have kept, and opens what was written there. That must be the old thing or the new one,
// whole, and after the writer returned without an error the new one. It takes away each fsync in turn, which must
// give a broken state, or else the fsync is needless; and it lets each one fail, which must be an error of the writer
// and break nothing.
//
// # The model of a file system
//
// It promises what POSIX does, and less than ext4, XFS, btrfs, APFS or NTFS do:
//
//   - fsync of a file stores its bytes and its size as they were when the call began, but not its name.
//   - fsync of a folder stores the names that were made, renamed or removed in it, but not the folder's own name.
//   - What no fsync has stored may be there or not, each operation for itself and in any order: a name without its
//     file's bytes, the second write without the first, a removed name that is back, a new folder without the names
//     in it.
//   - A write that is not stored may also have left half of its bytes, or zeros in their place.
//   - A rename inside a folder is atomic: the two names change together or not at all. One between folders is not.
//   - An fsync that fails has stored nothing, and what it should have stored may be lost.
//   - What was there before the writer began is stored, unless the writer says otherwise.
//
// Where a cut leaves few states, all are tried. Where it leaves many, these are: all that is not stored is there, is
// lost, is torn, is zeros; each operation alone lost, torn, zeros or kept; and random ones, the same ones in each
// run. The flag -whole tries many more.
//
// # The code's fsyncs
//
// Each of these was removed from the code, and the rename put before the fsync: the tests failed each time. To repeat
// it, remove one and run "CI=1 go test ./internal/test/powercut", or, in an adapter's module, "CI=1 go test -run
// PowerCut .". A new fsync belongs in this list.
//
//   - internal/replace: the file before its rename, and the folder after it.
//   - filterset: in finish.go a part and its layer's folder; in commit.go the set's folder before the manifest, and
//     the folder around the set; in make_folders.go the parents that were made; in merge.go the layer's folder, and a
//     part of a copied set.
//   - adapters/parquet: its copy of internal/replace.
//   - adapters/beam: a file before its rename, the layer's folder and its parents, and the set's folder after the
//     manifest.
//
// The command has none: it calls these.
//
// # Its limits
//
// Disks that lie about fsync, and bytes that rot, are not in the model: checksums find those when a file is opened.
package powercut
