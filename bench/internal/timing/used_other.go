//go:build !unix

package timing

import "time"

func used() time.Duration { return 0 }
