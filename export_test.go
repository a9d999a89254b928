package simdbloom

import "errors"

// Fold halves the filter the given number of times.
func (m *Mutable) Fold(times int) error {
	if times < 0 || times > m.mostFolds() {
		return errors.New("the number of blocks cannot be halved so often")
	}
	for range times {
		m.fold()
	}
	return nil
}
