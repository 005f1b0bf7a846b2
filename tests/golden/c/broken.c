#include "list.h"

struct point {
  int x;
  int y;
};

static int before(int a) {
  return helper(a);
}

int broken(int a {
  if (a > 1) {
    return before(a;
  }
}

static int after(struct point *p) {
  return before(p->x);
}

enum kind { ONE, TWO };

int last(struct point *p) {
  return after(p);
}
