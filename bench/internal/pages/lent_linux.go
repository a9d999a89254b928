package pages

// Lend makes so many bytes of free memory such that a virtual machine's host has lent
// it already: it touches as much and gives it back to the system, which will give it
// away next. Many hosts take back what their guests do not use, within seconds, and to
// have it again takes 20 times as long as the guest's own page fault. Where there is no
// host it changes nothing.
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
