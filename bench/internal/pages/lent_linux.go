package pages

// Lend makes a virtual machine's host back n bytes of free memory: it touches as much and
// returns it to the system, which will hand it out next. Many hosts take back memory that
// their guests do not use, within seconds, and faulting it back in takes 20 times as long as
// the guest's own page fault. Without a host it changes nothing.
func Lend(bytes int) error {
	m, err := Map(Huge, bytes)
	if err != nil {
		return err
	}
	for i := 0; i < len(m.Bytes); i += smallest {
		m.Bytes[i] = 1
	}
	return m.Unmap()
}

const smallest = 4096 // bytes in a page
