package aligned

// HugePages reports whether Make uses huge pages on this machine.
var HugePages = hugePages

// HugeFrom is the size from which it does.
const HugeFrom = hugeFrom
