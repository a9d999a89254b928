package main

// properties are the facts that a reader of a table's filter needs. The filter's bytes do not record them.
type properties struct {
	policy    string // policy.Policy's Name
	prefix    string // filterblock.Extractor's Name
	wholeKeys bool
}

// The names of properties, and their names in RocksDB's tables.
const (
	policyProperty    = "filter.policy"     // rocksdb.filter.policy
	prefixProperty    = "filter.prefix"     // rocksdb.prefix.extractor.name
	wholeKeysProperty = "filter.whole.keys" // rocksdb.block.based.table.whole.key.filtering
)

// block returns the properties as rows, so that others can be added.
func (p properties) block() []byte {
	wholeKeys := "0"
	if p.wholeKeys {
		wholeKeys = "1"
	}
	block := appendRow(nil, []byte(policyProperty), []byte(p.policy))
	block = appendRow(block, []byte(prefixProperty), []byte(p.prefix))
	return appendRow(block, []byte(wholeKeysProperty), []byte(wholeKeys))
}

// propertiesIn reads properties. It passes over those that it does not know.
func propertiesIn(block []byte) (p properties, err error) {
	for r, err := range eachRow(block) {
		if err != nil {
			return properties{}, err
		}
		switch string(r.key) {
		case policyProperty:
			p.policy = string(r.value)
		case prefixProperty:
			p.prefix = string(r.value)
		case wholeKeysProperty:
			p.wholeKeys = string(r.value) == "1"
		}
	}
	return p, nil
}
