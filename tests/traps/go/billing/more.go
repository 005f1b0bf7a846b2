package billing

import "example.com/trap/store"

func work(run func()) {
	run()
	c := Open()
	c.Save("a")
	s := store.Open()
	s.Save("b")
	var m store.Memory
	m.Close()
	New(nil).check()
	helper := func() { check() }
	helper()
}

func check() {}

func pick(v interface{}) {
	v.(*Client).check()
	if d, ok := v.(*store.Disk); ok {
		d.Name()
	}
}
