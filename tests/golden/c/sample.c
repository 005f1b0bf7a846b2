/* A tiny server: what it is asked goes through a table of commands. */
#include "server.h"
#include <stdio.h>

#define SERVER_API __attribute__((visibility("default")))
#define MAX_CLIENTS 64
#define LIST_FIELDS                                                           \
  /* private */                                                               \
  struct node *next;                                                          \
  struct node *previous

#define CLAMP(value, low, high) \
  ((value) < (low) ? (low) : ((value) > (high) ? (high) : (value)))
#define TRACE(...) fprintf(stderr, __VA_ARGS__)

typedef unsigned int client_id;
typedef struct server server_t;
typedef int (*command_fn)(server_t *server, const char *argument);

/** What a client is doing. */
typedef enum { IDLE, READING = 2, WRITING } client_state;

enum level { LEVEL_LOW, LEVEL_HIGH };

struct server {
  struct address {
    const char *host;
    int port;
  } address;
  struct {
    long received;
    long sent;
  } bytes;
  union {
    int fd;
    void *handle;
  };
  enum level level;
  client_state states[MAX_CLIENTS];
  int (*on_close)(struct server *self, int code);
};

typedef struct node {
  LIST_FIELDS;
  unsigned flags : 3;
} node_t;

union number {
  int whole;
  double real;
};

struct command {
  const char *name;
  command_fn run;
};

static struct config {
  int verbose;
} config = {.verbose = 1};
static const int LIMITS[] = {1, 2, 3};
const char *const VERSION = "1.2";
extern int debug_level;
static node_t *head, *tail;
static int (*handler)(int);

SERVER_API server_t *server_create(const char *host, int port);
SERVER_API const char *server_name(void);
static int on_ping(server_t *server, const char *argument);

#if defined(_WIN32)
static int open_socket(void) { return win_socket(AF_INET); }
#else
/* Opens a socket. */
static int open_socket(void) {
  return socket(AF_INET, SOCK_STREAM, 0);
}
#endif

static const struct command COMMANDS[] = {
    {"ping", on_ping},
    {.name = "quit", .run = on_quit},
};

/**
 * Creates a server.
 *
 * @param host where it listens
 */
server_t *server_create(const char *host, int port) {
  server_t *server = malloc(sizeof *server);
  struct address *address = (struct address *)lookup(host);
  if (!server || !address)
    return NULL;
  server->address.port = CLAMP(port, 1, 65535);
  server->fd = open_socket();
  server->on_close = on_close;
  TRACE("listening on %d\n", port);
  return server;
}

static int on_ping(server_t *server, const char *argument) {
  node_t *node;
  for (node = head; node; node = node->next) {
    if (node->flags & LEVEL_HIGH)
      server->on_close(server, 0);
  }
  return (*handler)(config.verbose) + LIMITS[1];
}

/* Finds a command. */
command_fn find_command(const char *name) {
  for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
    if (strcmp(COMMANDS[i].name, name) == 0)
      return COMMANDS[i].run;
  return NULL;
}

static void (*choose(int level))(int) {
  const char *home = getenv("HOME");
  return home ? quiet : loud;
}

inline int sum(int count, ...) {
  va_list rest;
  return count;
}

int main(int argc, char **argv) {
  server_t *server = server_create("localhost", 80);
  qsort(argv, argc, sizeof *argv, compare);
  return server->on_close(server, 1);
}

TEST_IMPL(server_answers) {
  ASSERT_OK(server_create("x", 1));
  return 0;
}

void test_clamp(void) { assert(CLAMP(3, 1, 2) == 2); }

typedef struct reading_s { int value; } reading_t, *reading_ptr;
typedef BOOL (WINAPI* read_fn)(HANDLE handle);

APP_UNUSED(static void app_tick(server_t* server)) {
  server_touch(server);
}
