package kernel

import "github.com/mmcloughlin/avo/ir"

// Interleave emits the instructions of two functions, which have no labels: those of the
// first come evenly among those of the second, each in their order. A processor with short
// schedulers then finds work of both.
func (fn *Function) Interleave(first, second func()) {
	file, err := fn.Result()
	if err != nil {
		return // and compile says it
	}
	functions := file.Functions()
	function := functions[len(functions)-1]
	begin := len(function.Nodes)
	first()
	middle := len(function.Nodes)
	second()
	emitted := append([]ir.Node(nil), function.Nodes[begin:]...)
	a, b := emitted[:middle-begin], emitted[middle-begin:]
	mixed := function.Nodes[:begin]
	taken := 0
	for i, node := range b {
		mixed = append(mixed, node)
		for ; taken < len(a) && taken*len(b) < (i+1)*len(a); taken++ {
			mixed = append(mixed, a[taken])
		}
	}
	function.Nodes = append(mixed, a[taken:]...)
}
