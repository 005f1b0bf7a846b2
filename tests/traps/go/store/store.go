package store

type Saver interface {
	Save(key string) error
	Close() error
}

type Base struct{ name string }

func (b *Base) Close() error { return nil }

func (b *Base) Name() string { return b.name }

type Disk struct {
	Base
	next Saver
}

func NewDisk() *Disk { return &Disk{} }

func (d *Disk) Save(key string) error {
	d.Name()
	return d.next.Save(key)
}

type Memory struct{ rows map[string]*Row }

type Row struct{}

func (r *Row) Save(key string) error { return nil }

func (r Row) Load() {}

func (m *Memory) Save(key string) error {
	for _, row := range m.rows {
		row.Load()
	}
	return m.rows[key].Save(key)
}

func (m *Memory) Close() error { return nil }

func Open() Saver { return NewDisk() }

func run() {}
