// What the drivers of mFAST have in common: the messages of a file, the sum over all fields of a
// message, rounds over all messages, measured as crates/fast/benches/rounds does, and `main`.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <boost/exception/diagnostic_information.hpp>

#include <mfast/field_visitor.h>
#include <mfast/message_ref.h>
#include <mfast/sequence_ref.h>

struct Slice {
  const char *begin;
  const char *end;
};

// Adds up every field that is present as `Sum` of benches/moex.rs does: numbers as they are, texts by
// length and first byte, each with the field's identifier mixed in, and a sum for each kind of value.
class Sum {
public:
  std::uint64_t total() const { return unsigned_ + signed_ + decimal_ + text_; }

  // A field of a type that is known at compile time, its identifier too.
  template <typename Field> void mandatory(std::uint32_t id, const Field &field) { add(id, field); }
  template <typename Field> void optional(std::uint32_t id, const Field &field) {
    if (field.present()) {
      add(id, field);
    }
  }

  // Any field of a message whose template was loaded at run time.
  template <typename Field> void visit(const Field &field) { add(field.id(), field); }

  // An extension of mFAST's; no published template has such a field.
  template <typename Integer> void visit(const mfast::int_vector_cref<Integer> &) {}

  void visit(const mfast::aggregate_cref &fields, int) {
    for (auto &&field : fields) {
      if (field.present()) {
        mfast::apply_accessor(*this, field);
      }
    }
  }

  void visit(const mfast::sequence_cref &sequence, int) {
    for (auto &&element : sequence) {
      visit(element, 0);
    }
  }

private:
  void add(std::uint32_t id, const mfast::uint32_cref &field) { unsigned_ += field.value() ^ id; }
  void add(std::uint32_t id, const mfast::uint64_cref &field) { unsigned_ += field.value() ^ id; }
  void add(std::uint32_t id, const mfast::enum_cref &field) { unsigned_ += field.value() ^ id; }
  void add(std::uint32_t id, const mfast::int32_cref &field) { add_signed(id, field.value()); }
  void add(std::uint32_t id, const mfast::int64_cref &field) { add_signed(id, field.value()); }

  void add(std::uint32_t id, const mfast::decimal_cref &field) {
    const int exponent = field.exponent();
    decimal_ += (static_cast<std::uint64_t>(field.mantissa()) +
                 static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent)) ^
                id;
  }

  void add(std::uint32_t id, const mfast::ascii_string_cref &field) { add_text(id, field); }
  void add(std::uint32_t id, const mfast::unicode_string_cref &field) { add_text(id, field); }
  void add(std::uint32_t id, const mfast::byte_vector_cref &field) { add_text(id, field); }

  void add_signed(std::uint32_t id, std::int64_t value) {
    signed_ += static_cast<std::uint64_t>(value) ^ id;
  }

  template <typename Field> void add_text(std::uint32_t id, const Field &field) {
    const std::size_t size = field.size();
    const unsigned char first = size == 0 ? 0 : static_cast<unsigned char>(*field.data());
    text_ += (size + first) ^ id;
  }

  std::uint64_t unsigned_ = 0, signed_ = 0, decimal_ = 0, text_ = 0;
};

// Keeps the compiler from knowing what `value` is, as `black_box` does.
template <typename Value> void opaque(Value &value) { asm volatile("" : "+m"(value) : : "memory"); }

inline std::string file(const char *path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "FAILED: cannot read %s\n", path);
    std::exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

// Where each message lies, `preamble` bytes before each. Only its decoder knows how long a message is.
template <typename Decoder>
std::vector<Slice> messages_of(Decoder &decoder, const std::string &bytes, std::size_t preamble,
                               bool reset_each) {
  std::vector<Slice> messages;
  const char *at = bytes.data();
  const char *const end = at + bytes.size();
  while (at < end) {
    if (static_cast<std::size_t>(end - at) <= preamble) {
      std::fprintf(stderr, "FAILED: %zu bytes left after message %zu\n",
                   static_cast<std::size_t>(end - at), messages.size());
      std::exit(1);
    }
    const char *const begin = at + preamble;
    at = begin;
    decoder.decode(at, end, reset_each || messages.empty());
    messages.push_back({begin, at});
  }
  return messages;
}

// Times of one candidate, nanoseconds a message.
class Times {
public:
  explicit Times(const char *name) : name_(name) {}

  template <typename Run> void add(std::size_t messages, Run run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    times_.push_back(took.count() / static_cast<double>(messages));
  }

  void print() {
    std::sort(times_.begin(), times_.end());
    std::printf("%-40s %10.1f %10.1f\n", name_, times_[times_.size() / 2], times_.front());
  }

private:
  const char *name_;
  std::vector<double> times_;
};

inline void print_title(const std::vector<Slice> &messages, int rounds) {
  std::size_t size = 0;
  for (const Slice &message : messages) {
    size += static_cast<std::size_t>(message.end - message.begin);
  }
  std::printf("%zu messages, %zu bytes, %.1f bytes/message, %d rounds, ns/message\n",
              messages.size(), size,
              static_cast<double>(size) / static_cast<double>(messages.size()), rounds);
  std::printf("%-40s %10s %10s\n", "", "median", "least");
}

// The visitor that reads the fields of a message whose template was loaded at run time.
inline void read_by_visitor(Sum &sum, const mfast::message_cref &message) { sum.visit(message, 0); }

// The main function of a driver: `run` gets the templates, the bytes of the input, which is named in
// capitals on the command line, and the number of rounds.
inline int drive(int count, char **arguments, const char *input,
                 void (*run)(const std::string &xml, const std::string &bytes, int rounds)) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s TEMPLATES.xml %s [ROUNDS]\n", arguments[0], input);
    return 2;
  }
  try {
    run(file(arguments[1]), file(arguments[2]),
        std::max(1, count > 3 ? std::atoi(arguments[3]) : 41));
    return 0;
  } catch (const boost::exception &error) {
    std::fprintf(stderr, "FAILED: %s\n", boost::diagnostic_information(error).c_str());
    return 1;
  }
}
