#include "box.h"
#include <memory>
#include <vector>

using namespace std::chrono;
using std::string;
namespace fs = std::filesystem;

namespace app::net {

namespace {
int attempts = 0;
int backoff(int tries) { return tries * 2; }
struct Hidden {
  int depth;
};
}  // namespace

using Names = std::vector<string>;
constexpr int kLimit = 3;
enum class Mode { Fast, Slow = 2 };

template <typename T>
concept Printable = requires(T value) { value.print(); };

class Frame;
bool operator<(const Frame& left, const Frame& right);
std::ostream& operator<<(std::ostream& out, const Frame& frame);

/// Holds one value.
///
/// @tparam T what it holds
template <typename T, class Allocator = int>
class Box : public Base<T>, private virtual detail::Counted {
 public:
  using value_type = T;
  enum State { Empty, Full };

  Box() : Base<T>(2), value_(1) {}
  explicit Box(T value) noexcept;
  Box(const Box& other) = delete;
  virtual ~Box();

  /// Gives the value.
  virtual const T& get() const { return value_; }
  T* find(int key);
  T* find(const string& key, int fallback = 0);
  Box& operator=(const Box& other);
  bool operator==(const Box& other) const { return value_ == other.value_; }
  T& operator[](int at);
  explicit operator bool() const { return true; }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor.go(value_);
  }
  static std::unique_ptr<Box> make(int size);
  static constexpr int kMax = 3;

  struct Inner {
    int depth;
    struct {
      int left, right;
    } edges;
  };

 protected:
  virtual void reset() = 0;

 private:
  friend class Pool;
  T value_;
  std::unique_ptr<Client> client_;
  std::function<void(int)> on_change_;
  int (*compare_)(const T&, const T&);
};

template <typename T, class A>
Box<T, A>::Box(T value) noexcept {}

template <>
class Box<void> {};

Server::Impl::Impl(string name) : name_(std::move(name)) {}

Server::~Server() {}

// Runs until it is told to stop.
void Server::Impl::run(const Options& options) & {
  auto session = std::make_unique<Session>(options);
  session->open();
  Frame frame(1);
  Frame other{2};
  Frame* next = new Frame(3);
  next->header.print();
  net::send(frame, &backoff);
  Registry::instance().add<Frame>(frame);
  auto pick = [this, &session](int limit) -> bool {
    return limit < kLimit && session->valid();
  };
  for (const auto& item : next->items()) {
    item.flush();
  }
  try {
    pick(attempts);
    frames_[1].close();
    static_cast<Frame*>(next)->close();
  } catch (const TimeoutError& error) {
    throw std::runtime_error(error.what());
  }
  if (const char* home = std::getenv("HOME")) use(home);
}

int& Server::counter() { return counter_; }

int Server::started = 0;

auto half(int whole) -> int { return whole / 2; }

struct Point final : Shape {
  int x = 0;
  int y{0};
};

struct Listener {
  virtual void heard() = 0;
};

void listen(Bus& bus) {
  struct Printer : Listener {
    void heard() override { puts("heard"); }
  };
  bus.add(std::make_shared<Printer>());
  bus.each([](Listener& listener) { listener.heard(); });
}

extern "C" {
int plain_entry(int code);
}

#ifdef APP_TRACE
APP_API void trace(const char* text);
#endif

}  // namespace app::net

[[nodiscard]] int checked(int code) { return code; }

TEST(BoxTest, HoldsAValue) { EXPECT_EQ(1, app::net::half(2)); }

TEST_F(BoxFixture, FindsAKey) {
  EXPECT_TRUE(box_.find("key"));
}

TEST_CASE("a box can be emptied", "[box]") {
  Box<int> box(1);
  SECTION("by hand") {
    REQUIRE(box.empty());
  }
}

#if __has_include(<optional>) && APP_HAS_INCLUDE("x.h")
#endif

template <typename To, typename From, APP_ENABLE_IF(sizeof(To) == sizeof(From))>
APP_CONSTEXPR20 auto bit_cast(const From& from) -> To {
  if APP_CONSTEXPR20 (sizeof(To) > 4) return wide<To>(from);
  return narrow<To>(from);
}

struct Named {
  const std::string& value;
  Handler& handler;
  APP_CONSTEXPR Named(const Arg& arg) : value(arg) {}
  APP_API ~Named() noexcept;
};

APP_NORETURN APP_API void give_up(const char* file, int line);
