// Package fuzz holds the fuzz targets. Each seeds itself, and every run of the tests replays the
// seeds; an input in testdata/fuzz is one that failed and was not a seed. The targets have:
//
//   - arbitrary bytes as a filter, under every query, for all formats and every
//     policy (FuzzOpen, FuzzPolicy), as a filter block (FuzzOpenLevelDBBlock), and as a filter of
//     other Go modules and Redis (FuzzOpenBitsAndBlooms, FuzzOpenDCSO, FuzzOpenRedisBloom, FuzzRedisBloomReplies);
//   - arbitrary bytes as a filter that accepts more keys, compared with a naive one (FuzzAdders);
//   - arbitrary bytes as the index of a filter's partitions and as every partition, and
//     arbitrary keys in filter blocks of every kind (FuzzFilterBlock, FuzzBuildFilterBlock);
//   - arbitrary bytes as a filter file, with right checksums, too, and as a set's manifest (FuzzFilterFile,
//     FuzzSetManifest), and as a file of sliced filters (FuzzSlicedFile);
//   - arbitrary bytes as the header of a filter in a Parquet file (FuzzParquetHeader);
//   - arbitrary hashes in arbitrary pieces through the builders, compared with a
//     naive builder (FuzzBuildFORMAT for each format), also at
//     every level, in parts and with a limit (FuzzBuildLargeFastLocal, FuzzBuildLargePaired,
//     FuzzBuildLargeLinear, FuzzBuildLargeSplitBlock);
//   - arbitrary keys through the key hashes (FuzzKeyHash), and arbitrary words and keys through the
//     kernels of every level that hash them (FuzzHashUint64s, FuzzHashKeys), and arbitrary columns of
//     numbers and strings (FuzzColumn);
//   - arbitrary text through the kernels of every level that find the ends of lines (FuzzEnds);
//   - arbitrary bodies and hashes, at arbitrary places, through the kernels of every
//     level that look up, add, partition, count and solve, compared with those of package
//     fallback (FuzzFORMATKernels for each format), and so rows and bodies of sliced tiles (FuzzSlicedKernels);
//   - bare blocks of blobloom's filters have a dump's answers (FuzzOpenBlobloom), and arbitrary text as
//     Milvus's JSON has those of the blocks that encoding/json finds (FuzzOpenBlobloomJSON);
//   - arbitrary hashes and lines through package fallback's solver and lookups of linear
//     filters, compared with package naive's, and through the solvers of every level
//     (FuzzLinear).
//
// To fuzz one for five minutes:
//
//	go test ./fuzz -run '^$' -fuzz '^FuzzOpen$' -fuzztime 5m
//
// cmd/simdbloom has FuzzReport, arbitrary bytes as a file, and FuzzReader, as an input of keys; adapters/parquet has
// FuzzFile, and examples/sortedtable FuzzTable.
package fuzz
