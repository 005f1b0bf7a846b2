#include "good.h"

namespace app {

class Good {
 public:
  int first();

 private:
  int value_;
};

int Good::first() {
  return value_;
}

void broken(int x {
  if (x > 1) {
    Good good(x;
  }
}

class Later : public Good {
  void second() { first(); }
};

int last(Good& good) {
  return good.first();
}

}  // namespace app
