package billing

import (
	st "example.com/trap/store"
)

type Client struct {
	disk  *st.Disk
	saver st.Saver
}

func New(d *st.Disk) *Client { return &Client{disk: d} }

func (c *Client) Save(key string) error {
	c.disk.Save(key)
	c.disk.Close()
	c.saver.Save(key)
	run()
	return c.check()
}

func (c *Client) check() error { return nil }

func Open() *Client { return New(st.NewDisk()) }

func run() {}
