package main

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// check returns an error for invalid settings.
func (s *settings) check() error {
	const most = math.MaxInt32
	for _, setting := range []struct {
		name               string
		value, least, most int64
	}{
		{"num", s.num, 1, 1 << 40},
		{"duration", int64(s.duration), 0, most},
		{"threads", int64(s.threads), 1, 4096},
		{"key_size", int64(s.keySize), 1, 1 << 16},
		{"value_size", int64(s.valueSize), 0, 1 << 30},
		{"batch_size", s.batchSize, 1, 1 << 24},
		{"seek_nexts", int64(s.seekNexts), 0, most},
		{"prefix_size", int64(s.prefixSize), 0, int64(s.keySize)},
		{"keys_per_prefix", s.keysPerPrefix, 0, s.num},
		{"cache_size", s.cacheSize, 0, 1 << 50},
		{"block_size", int64(s.blockSize), 64, 1 << 26},
		{"write_buffer_size", s.writeBufferSize, 1 << 16, math.MaxUint32 - 1},
		{"max_write_buffer_number", int64(s.maxWriteBufferNumber), 2, most},
		{"target_file_size_base", s.targetFileSizeBase, 1 << 10, 1 << 40},
		{"target_file_size_multiplier", int64(s.targetFileMultiplier), 1, 10},
		{"max_bytes_for_level_base", s.maxBytesForLevelBase, 1 << 10, 1 << 50},
		{"level0_file_num_compaction_trigger", int64(s.level0Trigger), 1, most},
		{"level0_stop_writes_trigger", int64(s.level0Stop), int64(s.level0Trigger), most},
		{"open_files", int64(s.openFiles), -1, most},
		{"max_background_jobs", int64(s.maxBackgroundJobs), 1, 1024},
		{"read_latency", int64(s.readLatency), 0, int64(time.Minute)},
	} {
		if setting.value < setting.least || setting.value > setting.most {
			return fmt.Errorf("-%s must be %d to %d", setting.name, setting.least, setting.most)
		}
	}
	keys := s.keys()
	switch bytes := keys.numberBytes(); {
	case s.keysPerPrefix > 0 && s.prefixSize == 0:
		return errors.New("-keys_per_prefix needs a -prefix_size")
	case bytes < 8 && s.num > 1<<(8*bytes):
		return fmt.Errorf("-key_size=%d leaves %d bytes for a key's number, too few for %d keys", s.keySize, bytes, s.num)
	case s.seekMissingPrefix && s.prefixSize <= 8:
		return errors.New("-seek_missing_prefix needs a -prefix_size above 8")
	case s.reverseIterator && s.prefixSize > 0:
		return errors.New("-reverse_iterator: Pebble's seeks in a prefix have no Prev; leave out -prefix_size")
	case !(s.compressionRatio > 0 && s.compressionRatio <= 1):
		return errors.New("-compression_ratio must be above 0 and at most 1")
	case compressions[s.compressionType] == nil:
		return fmt.Errorf("-compression_type=%s: Pebble has only %v", s.compressionType, compressionNames())
	case s.disableWAL && s.sync:
		return errors.New("-sync needs the write-ahead log, which -disable_wal switches off")
	case s.useExistingDB && s.db == "":
		return errors.New("-use_existing_db needs -db")
	case s.copyOf != "" && s.useExistingDB:
		return errors.New("-copy_of makes a new store: leave out -use_existing_db")
	case s.filterURI != "" && s.bloomBits > 0:
		return errors.New("give -filter_uri or -bloom_bits, not both")
	case s.useRibbonFilter && !(s.bloomBits > 0):
		return errors.New("-use_ribbon_filter needs -bloom_bits")
	}
	return nil
}

// keys are the keys of the settings.
func (s *settings) keys() keyMaker {
	k := keyMaker{size: s.keySize, prefix: s.prefixSize}
	if s.keysPerPrefix > 0 {
		k.prefixes = s.num / s.keysPerPrefix
	}
	return k
}

// orNum is -reads, -writes or -deletes.
func (s *settings) orNum(n int64) int64 {
	if n < 0 {
		return s.num
	}
	return n
}
