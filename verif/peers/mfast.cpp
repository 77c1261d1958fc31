// mFAST's decoder on the MOEX capture, every field read: templates loaded at run time and, with
// -DGENERATED, its generated code for the same templates.
//
// It does what the candidates "decode, every field read" of crates/fast/benches/moex.rs do, and
// measures as that benchmark does: rounds over all messages, each with a reset of the dictionaries
// before it, the messages one behind the other in memory as in the capture. The sums it prints are the
// candidates'; verif/peers/mfast.sh compares them. mFAST is not part of this repository; the script
// says where it comes from.
//
//   mfast TEMPLATES.xml CAPTURE.dat [ROUNDS]

#include "peer.h"

#include <mfast/coder/fast_decoder.h>
#include <mfast/malloc_allocator.h>
#include <mfast/xml_parser/dynamic_templates_description.h>
#ifdef GENERATED
#include "test.h"
#include <mfast/coder/fast_decoder_v2.h>
#endif

namespace {

// Bytes before each message, which are not FAST.
constexpr std::size_t kPreamble = 4;

#ifdef GENERATED
// Reads the fields by the accessors of the generated code.
void read(Sum &sum, const test::Benchmark_cref &message) {
  sum.mandatory(35, message.get_MessageType());
  sum.mandatory(1128, message.get_ApplVerID());
  sum.mandatory(8, message.get_BeginString());
  sum.mandatory(49, message.get_SenderCompID());
  sum.mandatory(34, message.get_MsgSeqNum());
  sum.mandatory(52, message.get_SendingTime());
  const test::Benchmark_cref::GroupMDEntries_cref entries = message.get_GroupMDEntries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const test::Benchmark_cref::GroupMDEntries_element_cref entry = entries[i];
    sum.optional(279, entry.get_MDUpdateAction());
    sum.mandatory(269, entry.get_MDEntryType());
    sum.optional(278, entry.get_MDEntryID());
    sum.optional(55, entry.get_Symbol());
    sum.optional(83, entry.get_RptSeq());
    sum.optional(272, entry.get_MDEntryDate());
    sum.optional(273, entry.get_MDEntryTime());
    sum.optional(9412, entry.get_OrigTime());
    sum.optional(10504, entry.get_OrderSide());
    sum.optional(270, entry.get_MDEntryPx());
    sum.optional(271, entry.get_MDEntrySize());
    sum.optional(5384, entry.get_AccruedInterestAmt());
    sum.optional(6143, entry.get_TradeValue());
    sum.optional(236, entry.get_Yield());
    sum.optional(64, entry.get_SettlDate());
    sum.optional(5459, entry.get_SettleType());
    sum.optional(44, entry.get_Price());
    sum.optional(423, entry.get_PriceType());
    sum.optional(5677, entry.get_RepoToPx());
    sum.optional(5558, entry.get_BuyBackPx());
    sum.optional(5559, entry.get_BuyBackDate());
    sum.optional(336, entry.get_TradingSessionID());
    sum.optional(625, entry.get_TradingSessionSubID());
    sum.optional(1080, entry.get_RefOrderID());
  }
}
#endif

// One decoder with its two candidates.
template <typename Decoder> class Peer {
public:
  Peer(Decoder &decoder, const char *reading, const char *decoding)
      : decoder_(decoder), reading_(reading), decoding_(decoding) {}

  template <typename Read> void round(const std::vector<Slice> &messages, Read read) {
    Sum sum;
    reading_.add(messages.size(), [&] {
      decode(messages, [&](mfast::message_cref &message) { read(sum, message); });
    });
    total_ = sum.total();
    opaque(total_);
    decoding_.add(messages.size(), [&] {
      decode(messages, [](mfast::message_cref &message) { opaque(message); });
    });
  }

  void print() {
    reading_.print();
    decoding_.print();
    std::printf("sum %llu\n", static_cast<unsigned long long>(total_));
  }

private:
  template <typename Use> void decode(const std::vector<Slice> &messages, Use use) {
    for (const Slice &message : messages) {
      const char *at = message.begin;
      opaque(at);
      mfast::message_cref decoded = decoder_.decode(at, message.end, true);
      use(decoded);
    }
  }

  Decoder &decoder_;
  Times reading_, decoding_;
  std::uint64_t total_ = 0;
};

void run(const std::string &xml, const std::string &capture, int rounds) {
  mfast::dynamic_templates_description description(xml.c_str());
  mfast::malloc_allocator allocator;
  mfast::fast_decoder decoder(&allocator);
  decoder.include({&description});
  const std::vector<Slice> messages = messages_of(decoder, capture, kPreamble, true);
  Peer<mfast::fast_decoder> loaded(decoder, "mFAST: decode, every field read",
                                   "mFAST: decode, nothing read");
#ifdef GENERATED
  mfast::fast_decoder_v2<0> typed(&allocator, test::description());
  Peer<mfast::fast_decoder_v2<0>> code(typed, "mFAST generated: decode, every field read",
                                       "mFAST generated: decode, nothing read");
  const auto by_type = [](Sum &sum, const mfast::message_cref &message) {
    // The capture has messages of one template only, as the structures of the benchmark say too.
    if (message.id() != test::Benchmark::the_id) {
      std::fprintf(stderr, "FAILED: a message of template %u\n", message.id());
      std::exit(1);
    }
    read(sum, test::Benchmark_cref(message));
  };
#endif
  for (int i = 0; i < rounds; ++i) {
    loaded.round(messages, read_by_visitor);
#ifdef GENERATED
    code.round(messages, by_type);
#endif
  }
  print_title(messages, rounds);
  loaded.print();
#ifdef GENERATED
  code.print();
#endif
}

} // namespace

int main(int count, char **arguments) { return drive(count, arguments, "CAPTURE.dat", run); }
