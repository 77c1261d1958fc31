// The C interface of model.h over one verilated top. Built by verif/rtl/model.py, which defines
//   TOP          the class that Verilator made of the top module
//   TOP_HEADER   its header
//   TOP_NAME     the module's name
//   WAVE_FST     where waveforms are FST; else they are VCD
// and writes `ports.inc` (PORT(name, bits, is_output) ...) and `parameters.inc`
// (PARAMETER(name, value) ...).

#include "model.h"

#include <cstring>
#include <fstream>
#include <memory>
#include <new>

#include TOP_HEADER
#include "verilated.h"

#ifdef WAVE_FST
#include "verilated_fst_c.h"
using Wave = VerilatedFstC;
static const char* const WAVE_SUFFIX = "fst";
#else
#include "verilated_vcd_c.h"
using Wave = VerilatedVcdC;
static const char* const WAVE_SUFFIX = "vcd";
#endif

namespace {

const saker_port PORTS[] = {
#define PORT(name, bits, is_output) {#name, bits, is_output},
#include "ports.inc"
#undef PORT
};
constexpr uint32_t PORT_COUNT = sizeof(PORTS) / sizeof(PORTS[0]);

const saker_parameter PARAMETERS[] = {
#define PARAMETER(name, value) {#name, value},
#include "parameters.inc"
#undef PARAMETER
    {nullptr, 0},
};
constexpr uint32_t PARAMETER_COUNT = sizeof(PARAMETERS) / sizeof(PARAMETERS[0]) - 1;

// Half a clock period at 156.25 MHz.
constexpr uint64_t HALF_PS = 3200;

}  // namespace

struct saker_model {
  VerilatedContext context;
  TOP top;
  std::unique_ptr<Wave> wave;
  // Where each port's value is, and in how many bytes Verilator keeps it.
  struct Place {
    void* data;
    uint32_t bytes;
  } places[PORT_COUNT];

  saker_model() : top(&context, TOP_NAME) {
    // A port is an integer of 8, 16, 32 or 64 bits, or an array of 32-bit words.
    uint32_t at = 0;
#define PORT(name, bits, is_output) places[at++] = {&top.name, static_cast<uint32_t>(sizeof(top.name))};
#include "ports.inc"
#undef PORT
    top.clk = 0;
    top.eval();
  }
};

extern "C" {

uint32_t saker_model_abi(void) { return SAKER_MODEL_ABI; }
const char* saker_model_top(void) { return TOP_NAME; }
const char* saker_model_wave(void) { return WAVE_SUFFIX; }

uint32_t saker_model_parameters(const saker_parameter** list) {
  *list = PARAMETERS;
  return PARAMETER_COUNT;
}

uint32_t saker_model_ports(const saker_port** list) {
  *list = PORTS;
  return PORT_COUNT;
}

saker_model* saker_model_create(void) { return new (std::nothrow) saker_model; }

void saker_model_destroy(saker_model* model) {
  if (!model) return;
  saker_model_wave_close(model);
  model->top.final();
  delete model;
}

void saker_model_set(saker_model* model, uint32_t port, const uint32_t* words) {
  const uint32_t bits = PORTS[port].bits;
  const uint32_t last = (bits - 1) / 32;
  const saker_model::Place place = model->places[port];
  uint64_t wide[1];
  if (bits % 32 == 0 && place.bytes >= 4 * (last + 1)) {
    std::memcpy(place.data, words, 4 * (last + 1));
  } else if (last < 2) {
    // Bits above the port's must be zero in Verilator's storage.
    wide[0] = words[0] | (last ? static_cast<uint64_t>(words[1]) << 32 : 0);
    wide[0] &= ~0ULL >> (64 - bits);
    std::memcpy(place.data, wide, place.bytes);
  } else {
    std::memcpy(place.data, words, 4 * last);
    const uint32_t top = words[last] & (~0U >> (32 - bits % 32));
    std::memcpy(static_cast<char*>(place.data) + 4 * last, &top, 4);
  }
}

void saker_model_get(const saker_model* model, uint32_t port, uint32_t* words) {
  const uint32_t count = (PORTS[port].bits + 31) / 32;
  const saker_model::Place place = model->places[port];
  words[count - 1] = 0;
  std::memcpy(words, place.data, place.bytes < 4 * count ? place.bytes : 4 * count);
}

void saker_model_settle(saker_model* model) { model->top.eval(); }

void saker_model_step(saker_model* model, uint64_t ps) {
  // The clock is low here: inputs settle. Its fall is seen then, with the next inputs.
  model->top.eval();
  model->context.time(ps);
  model->top.clk = 1;
  model->top.eval();
  if (model->wave) model->wave->dump(ps);
  model->top.clk = 0;
  if (model->wave) model->wave->dump(ps + HALF_PS);
}

int32_t saker_model_wave_open(saker_model* model, const char* path) {
  saker_model_wave_close(model);
  // Verilator reports a file it cannot write by ending the process.
  if (!std::ofstream(path)) return 0;
  model->context.traceEverOn(true);
  model->wave = std::make_unique<Wave>();
  model->top.trace(model->wave.get(), 99);
  model->wave->set_time_unit("1ps");
  model->wave->set_time_resolution("1ps");
  model->wave->open(path);
  return 1;
}

void saker_model_wave_close(saker_model* model) {
  if (!model->wave) return;
  model->wave->close();
  model->wave.reset();
}

}  // extern "C"
