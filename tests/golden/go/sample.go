// Package billing sends invoices.
package billing

import (
	"context"
	"fmt"
	"net/http"
	_ "embed"

	. "example.com/shop/money"
	log "github.com/sirupsen/logrus"
	"gopkg.in/yaml.v3"
	"github.com/shop/tax/v2"
)

const Version = "1.2"

const (
	// Draft is not sent yet.
	Draft State = iota
	Sent
)

var ErrGone = fmt.Errorf("invoice is gone")

var (
	defaultClient *Client
	registry      = NewRegistry()
)

// State says how far an invoice is.
type State int

type Amount = tax.Amount

// Sender sends things.
//
// It must be safe for concurrent use.
type Sender interface {
	fmt.Stringer
	Send(ctx context.Context, invoice *Invoice) error
	Close()
}

/*
Client talks to the billing server.
*/
type Client struct {
	*http.Client
	sync.Mutex
	Base
	base    string
	limits  map[string]*Limit
	Senders []Sender `json:"senders"`
	onDone  func(id string) error
}

type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

type (
	Handler func(http.ResponseWriter, *http.Request)
	Page    struct{ Items []Invoice }
)

// NewClient makes a client.
func NewClient(base string, options ...Option) *Client {
	client := &Client{base: base, onDone: logDone}
	for _, option := range options {
		option(client)
	}
	return client
}

// Send posts an invoice.
func (c *Client) Send(ctx context.Context, invoice *Invoice) (err error) {
	request, err := http.NewRequestWithContext(ctx, "POST", c.base+"/invoices", invoice.Body())
	if err != nil {
		return fmt.Errorf("send %s: %w", invoice.ID, err)
	}
	go func() {
		c.limits["send"].Wait()
		defer c.Unlock()
	}()
	var response Response
	if found, ok := c.cache().(*Memory); ok {
		found.Store(request, response)
	}
	return c.Do(request).Decode(&response)
}

func (p Pair[K, V]) Swap() Pair[V, K] { return Pair[V, K]{Key: p.Value, Value: p.Key} }

func (c Client) close() {}

func Map[T, U any](items []T, apply func(T) U) []U {
	out := make([]U, 0, len(items))
	for _, item := range items {
		out = append(out, apply(item))
	}
	return out
}

func Routes(mux *http.ServeMux, c *Client) {
	mux.HandleFunc("/invoices", c.list)
	mux.Handle("/health", http.HandlerFunc(health))
	key := os.Getenv("BILLING_KEY")
	Map[Invoice, string](nil, name)
	exec.Command("git", "status").Run()
	log.Info(key)
	panic(ErrGone)
}

func logDone(id string) error { return nil }

func TestSend(t *testing.T) {
	t.Run("empty", func(t *testing.T) {
		if err := NewClient("x").Send(context.Background(), &Invoice{}); err == nil {
			t.Fatal("no error")
		}
	})
}
