package machine

import (
	"fmt"
	"os"
)

// Load returns the load average of the last minute: how many tasks ran or wanted to, this program's
// included. It is 0 if the system does not say.
func Load() (average float64) {
	text, _ := os.ReadFile("/proc/loadavg")
	if _, err := fmt.Sscan(string(text), &average); err != nil {
		return 0
	}
	return average
}
