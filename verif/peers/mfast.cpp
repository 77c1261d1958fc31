// mFAST's decoder on the MOEX capture: templates loaded at run time, every field read.
//
// It does what the candidate "decode, every field read" of crates/fast/benches/moex.rs does, and
// measures as that benchmark does: 41 rounds over all messages, each with a reset of the dictionaries
// before it, the messages one behind the other in memory as in the capture. The sum it prints is the
// candidate's; verif/peers/mfast.sh compares it. mFAST is not part of this repository; the script
// says where it comes from.
//
//   mfast TEMPLATES.xml CAPTURE.dat [ROUNDS]

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

#include <mfast/coder/fast_decoder.h>
#include <mfast/field_visitor.h>
#include <mfast/malloc_allocator.h>
#include <mfast/sequence_ref.h>
#include <mfast/xml_parser/dynamic_templates_description.h>

namespace {

// Bytes before each message, which are not FAST.
constexpr std::size_t kPreamble = 4;

struct Slice {
  const char *begin;
  const char *end;
};

// Adds up every field that is present as `Sum` of the benchmark does: numbers as they are, texts by
// length and first byte, each with the field's identifier mixed in, and a sum for each kind of value.
class Sum {
public:
  std::uint64_t total() const { return unsigned_ + signed_ + decimal_ + text_; }

  void visit(const mfast::uint32_cref &field) { add(unsigned_, field, field.value()); }
  void visit(const mfast::uint64_cref &field) { add(unsigned_, field, field.value()); }
  void visit(const mfast::enum_cref &field) { add(unsigned_, field, field.value()); }
  void visit(const mfast::int32_cref &field) { add_signed(field); }
  void visit(const mfast::int64_cref &field) { add_signed(field); }

  void visit(const mfast::decimal_cref &field) {
    const int exponent = field.exponent();
    add(decimal_, field,
        static_cast<std::uint64_t>(field.mantissa()) +
            static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
  }

  void visit(const mfast::ascii_string_cref &field) { add_text(field); }
  void visit(const mfast::unicode_string_cref &field) { add_text(field); }
  void visit(const mfast::byte_vector_cref &field) { add_text(field); }

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
  template <typename Field> void add_signed(const Field &field) {
    add(signed_, field, static_cast<std::uint64_t>(static_cast<std::int64_t>(field.value())));
  }

  template <typename Field> void add_text(const Field &field) {
    const std::size_t size = field.size();
    const unsigned char first = size == 0 ? 0 : static_cast<unsigned char>(*field.data());
    add(text_, field, size + first);
  }

  template <typename Field> void add(std::uint64_t &sum, const Field &field, std::uint64_t value) {
    sum += value ^ field.id();
  }

  std::uint64_t unsigned_ = 0, signed_ = 0, decimal_ = 0, text_ = 0;
};

// Keeps the compiler from knowing what `value` is, as `black_box` does.
template <typename Value> void opaque(Value &value) { asm volatile("" : "+m"(value) : : "memory"); }

std::string file(const char *path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "FAILED: cannot read %s\n", path);
    std::exit(1);
  }
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

// Where each message lies. Only its decoder knows how long a message is.
std::vector<Slice> messages_of(mfast::fast_decoder &decoder, const std::string &capture) {
  std::vector<Slice> messages;
  const char *at = capture.data();
  const char *const end = at + capture.size();
  while (at < end) {
    if (static_cast<std::size_t>(end - at) <= kPreamble) {
      std::fprintf(stderr, "FAILED: %zu bytes left after message %zu\n",
                   static_cast<std::size_t>(end - at), messages.size());
      std::exit(1);
    }
    const char *const begin = at + kPreamble;
    at = begin;
    decoder.decode(at, end, true);
    messages.push_back({begin, at});
  }
  return messages;
}

// Decodes every message once and returns nanoseconds a message.
template <typename Read>
double round(mfast::fast_decoder &decoder, const std::vector<Slice> &messages, Read read) {
  const auto start = std::chrono::steady_clock::now();
  for (const Slice &message : messages) {
    const char *at = message.begin;
    opaque(at);
    mfast::message_cref decoded = decoder.decode(at, message.end, true);
    read(decoded);
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(messages.size());
}

void print(const char *name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%-40s %10.1f %10.1f\n", name, times[times.size() / 2], times.front());
}

int run(int count, char **arguments) {
  const std::string xml = file(arguments[1]);
  const std::string capture = file(arguments[2]);
  const int rounds = std::max(1, count > 3 ? std::atoi(arguments[3]) : 41);

  mfast::dynamic_templates_description description(xml.c_str());
  mfast::malloc_allocator allocator;
  mfast::fast_decoder decoder(&allocator);
  decoder.include({&description});
  const std::vector<Slice> messages = messages_of(decoder, capture);
  std::size_t size = 0;
  for (const Slice &message : messages) {
    size += static_cast<std::size_t>(message.end - message.begin);
  }

  std::vector<double> reading, decoding;
  std::uint64_t total = 0;
  for (int i = 0; i < rounds; ++i) {
    Sum sum;
    reading.push_back(round(decoder, messages, [&sum](const mfast::message_cref &message) {
      sum.visit(message, 0);
    }));
    total = sum.total();
    opaque(total);
    decoding.push_back(round(decoder, messages, [](mfast::message_cref &message) {
      opaque(message);
    }));
  }
  std::printf("%zu messages, %zu bytes, %.1f bytes/message, %d rounds, ns/message\n",
              messages.size(), size,
              static_cast<double>(size) / static_cast<double>(messages.size()), rounds);
  std::printf("%-40s %10s %10s\n", "", "median", "least");
  print("mFAST: decode, every field read", reading);
  print("mFAST: decode, nothing read", decoding);
  std::printf("sum %llu\n", static_cast<unsigned long long>(total));
  return 0;
}

} // namespace

int main(int count, char **arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s TEMPLATES.xml CAPTURE.dat [ROUNDS]\n", arguments[0]);
    return 2;
  }
  try {
    return run(count, arguments);
  } catch (const boost::exception &error) {
    std::fprintf(stderr, "FAILED: %s\n", boost::diagnostic_information(error).c_str());
    return 1;
  }
}
