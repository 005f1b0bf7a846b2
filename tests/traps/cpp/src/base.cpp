#include "base.h"

namespace shop {

static void helper() {}

void Client::send() {
  helper();
}

Base::Base(std::string name) {}

void Base::save(const std::string& key) {
  validate();
}

Base* Base::create() { return new Disk("x"); }

void Disk::save(const std::string& key) {
  Base::save(key);
  client_.send();
  other_->send();
  next_->save(key);
  this->validate();
  send();
  auto inner = [&]() { helper(); };
  inner();
}

void send() {}

void work() {
  Disk disk("a");
  disk.save("b");
  Base::create()->save("c");
  shop::send();
  auto made = std::make_unique<Disk>("d");
  made->validate();
}

}  // namespace shop
