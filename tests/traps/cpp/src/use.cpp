#include "base.h"

using shop::Disk;
namespace market = shop;

namespace {
void helper() {}
}  // namespace

void run(Disk& disk) {
  helper();
  disk.validate();
  market::send();
  for (int i = 0; i < 2; i++) disk.save("x");
}
