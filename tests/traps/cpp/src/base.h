#pragma once
#include <memory>
#include <string>

namespace shop {

class Client {
 public:
  void send();
};

class Base {
 public:
  explicit Base(std::string name);
  virtual ~Base() = default;
  virtual void save(const std::string& key);
  void validate() {}
  static Base* create();
};

class Disk : public Base {
 public:
  Disk(std::string name) : Base(name) {}
  void save(const std::string& key) override;

 private:
  Client client_;
  std::unique_ptr<Client> other_;
  Base* next_;
};

void send();

}  // namespace shop
