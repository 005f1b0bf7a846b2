package broken

import "fmt"

func Before() string { return fmt.Sprint("a") }

type Half struct {
	name string
	count int int int
}

func (h *Half) Wrong( {
	return h.name +
}

func (h *Half) After() string {
	return Before()
}
