// mFAST's decoder and encoder on the messages of crates/fast/benches/entries.rs: templates loaded at
// run time and, with -DGENERATED, its generated code for the same templates.
//
// As in that benchmark the dictionaries are reset at the beginning of a round and kept from message to
// message, and "decode and encode" encodes what came out of the decoder. The encoder is told to write no
// overlong presence maps, as the messages have none. How many messages it encodes to other bytes is
// printed beside what it costs. verif/peers/mfast.sh runs it.
//
//   mfast_entries TEMPLATES.xml MESSAGES.bin [ROUNDS]

#include "peer.h"

#include <mfast/coder/fast_decoder.h>
#include <mfast/coder/fast_encoder.h>
#include <mfast/malloc_allocator.h>
#include <mfast/xml_parser/dynamic_templates_description.h>
#ifdef GENERATED
#include "entries.h"
#include <mfast/coder/fast_decoder_v2.h>
#include <mfast/coder/fast_encoder_v2.h>
#endif

namespace {

#ifdef GENERATED
// Reads the fields by the accessors of the generated code.
void read(Sum &sum, const entries::IncrementalRefresh_cref &message) {
  sum.mandatory(1128, message.get_ApplVerID());
  sum.mandatory(35, message.get_MessageType());
  sum.mandatory(34, message.get_MsgSeqNum());
  sum.mandatory(52, message.get_SendingTime());
  sum.mandatory(75, message.get_TradeDate());
  const entries::IncrementalRefresh_cref::MDEntries_cref list = message.get_MDEntries();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const entries::IncrementalRefresh_cref::MDEntries_element_cref entry = list[i];
    sum.mandatory(279, entry.get_MDUpdateAction());
    sum.optional(1023, entry.get_MDPriceLevel());
    sum.mandatory(269, entry.get_MDEntryType());
    sum.mandatory(22, entry.get_SecurityIDSource());
    sum.mandatory(48, entry.get_SecurityID());
    sum.mandatory(83, entry.get_RptSeq());
    sum.mandatory(270, entry.get_MDEntryPx());
    sum.mandatory(273, entry.get_MDEntryTime());
    sum.optional(271, entry.get_MDEntrySize());
    sum.optional(346, entry.get_NumberOfOrders());
    sum.optional(336, entry.get_TradingSessionID());
    sum.optional(451, entry.get_NetChgPrevDay());
    sum.optional(1020, entry.get_TradeVolume());
    sum.optional(277, entry.get_TradeCondition());
    sum.optional(274, entry.get_TickDirection());
    sum.optional(276, entry.get_QuoteCondition());
  }
}
#endif

// The first message names its template; mFAST's encoders leave the name out where there is one template
// only. This is the message without it: the presence map, one byte here, without its first bit, and the
// rest without the first byte.
std::string without_template(const Slice &message) {
  std::string bytes(message.begin, message.end);
  if (bytes[0] & 0x40) {
    bytes[0] &= ~0x40;
    bytes.erase(1, 1);
  }
  return bytes;
}

// One decoder and encoder with their candidates.
template <typename Decoder, typename Encoder> class Peer {
public:
  Peer(Decoder &decoder, Encoder &encoder, const char *reading, const char *decoding, const char *both)
      : decoder_(decoder), encoder_(encoder), reading_(reading), decoding_(decoding), both_(both),
        both_name_(both) {
    encoder_.allow_overlong_pmap(false);
  }

  template <typename Read> void round(const std::vector<Slice> &messages, Read read) {
    const auto nothing = [](const Slice &, mfast::message_cref &message, bool) { opaque(message); };
    Sum sum;
    reading_.add(messages.size(), [&] {
      decode(messages, [&](const Slice &, mfast::message_cref &message, bool) { read(sum, message); });
    });
    total_ = sum.total();
    opaque(total_);
    decoding_.add(messages.size(), [&] { decode(messages, nothing); });
    start_encoding(messages);
    both_.add(messages.size(), [&] {
      decode(messages, [&](const Slice &, mfast::message_cref &message, bool reset) {
        encode(message, reset);
      });
    });
    opaque(at_);
  }

  // How many messages are encoded to other bytes than they were decoded from.
  std::size_t different(const std::vector<Slice> &messages) {
    std::size_t count = 0;
    start_encoding(messages);
    decode(messages, [&](const Slice &bytes, mfast::message_cref &message, bool reset) {
      const char *const begin = at_;
      encode(message, reset);
      count += without_template(bytes) != std::string(begin, static_cast<const char *>(at_));
    });
    return count;
  }

  void print(const std::vector<Slice> &messages) {
    reading_.print();
    decoding_.print();
    both_.print();
    std::printf("sum %llu\n", static_cast<unsigned long long>(total_));
    std::printf("different %zu of %zu messages: %s\n", different(messages), messages.size(), both_name_);
  }

private:
  template <typename Use> void decode(const std::vector<Slice> &messages, Use use) {
    bool first = true;
    for (const Slice &message : messages) {
      const char *at = message.begin;
      opaque(at);
      mfast::message_cref decoded = decoder_.decode(at, message.end, first);
      use(message, decoded, first);
      first = false;
    }
  }

  // The messages lie behind each other. Looking for the end of a presence map without bits, mFAST looks
  // at the byte before the message too, which must have a stop bit.
  void start_encoding(const std::vector<Slice> &messages) {
    buffer_.assign(1024 + 2 * (messages.back().end - messages.front().begin), '\x80');
    at_ = buffer_.data() + 1;
  }

  void encode(const mfast::message_cref &message, bool reset) {
    at_ += encoder_.encode(message, at_, buffer_.data() + buffer_.size() - at_, reset);
  }

  Decoder &decoder_;
  Encoder &encoder_;
  Times reading_, decoding_, both_;
  const char *both_name_;
  std::vector<char> buffer_;
  char *at_ = nullptr;
  std::uint64_t total_ = 0;
};

void run(const std::string &xml, const std::string &bytes, int rounds) {
  mfast::dynamic_templates_description description(xml.c_str());
  mfast::malloc_allocator allocator;
  mfast::fast_decoder decoder(&allocator);
  decoder.include({&description});
  mfast::fast_encoder encoder(&allocator);
  encoder.include({&description});
  const std::vector<Slice> messages = messages_of(decoder, bytes, 0, false);
  Peer<mfast::fast_decoder, mfast::fast_encoder> loaded(
      decoder, encoder, "mFAST: decode, every field read", "mFAST: decode, nothing read",
      "mFAST: decode and encode");
#ifdef GENERATED
  mfast::fast_decoder_v2<0> typed_decoder(&allocator, entries::description());
  mfast::fast_encoder_v2 typed_encoder(&allocator, entries::description());
  Peer<mfast::fast_decoder_v2<0>, mfast::fast_encoder_v2> code(
      typed_decoder, typed_encoder, "mFAST generated: decode, every field read",
      "mFAST generated: decode, nothing read", "mFAST generated: decode and encode");
  const auto by_type = [](Sum &sum, const mfast::message_cref &message) {
    read(sum, entries::IncrementalRefresh_cref(message));
  };
#endif
  for (int i = 0; i < rounds; ++i) {
    loaded.round(messages, read_by_visitor);
#ifdef GENERATED
    code.round(messages, by_type);
#endif
  }
  print_title(messages, rounds);
  loaded.print(messages);
#ifdef GENERATED
  code.print(messages);
#endif
}

} // namespace

int main(int count, char **arguments) { return drive(count, arguments, "MESSAGES.bin", run); }
