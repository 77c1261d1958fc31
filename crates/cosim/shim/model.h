// The C interface of a verilated model: what crates/cosim loads at run time.
//
// A model is a top module with one clock (`clk`), its ports by name, and its parameters. All values
// are 32-bit words, the lowest first. Nothing here is thread-safe: a model belongs to one thread.
#ifndef SAKER_MODEL_H
#define SAKER_MODEL_H

#include <stdint.h>

// Counts up with every change of this file that an older program would not survive.
#define SAKER_MODEL_ABI 1

#ifdef __cplusplus
extern "C" {
#endif

typedef struct saker_model saker_model;

// Bits of a port, and whether the model drives it (an output).
typedef struct {
  const char* name;
  uint32_t bits;
  uint32_t is_output;
} saker_port;

typedef struct {
  const char* name;
  uint64_t value;
} saker_parameter;

uint32_t saker_model_abi(void);
// The top module's name, and the suffix of the waveform files it writes: "fst" or "vcd".
const char* saker_model_top(void);
const char* saker_model_wave(void);
uint32_t saker_model_parameters(const saker_parameter** list);
uint32_t saker_model_ports(const saker_port** list);

// A model with every input zero and the clock low; null if there is no memory for it.
saker_model* saker_model_create(void);
void saker_model_destroy(saker_model* model);

// Writes an input or reads an output; `words` has ceil(bits / 32) places. Bits beyond the port's are
// ignored and read as zero. `port` must be below the number of ports.
void saker_model_set(saker_model* model, uint32_t port, const uint32_t* words);
void saker_model_get(const saker_model* model, uint32_t port, uint32_t* words);

// Settles combinational outputs after inputs have changed, without a clock edge.
void saker_model_settle(saker_model* model);
// One clock cycle: inputs settle, the clock rises. Outputs are then those of the next cycle, with the
// inputs as they are. `ps` is the time of the rising edge, for the waveform.
void saker_model_step(saker_model* model, uint64_t ps);

// Begins a waveform; 0 if the file cannot be written. Ends it.
int32_t saker_model_wave_open(saker_model* model, const char* path);
void saker_model_wave_close(saker_model* model);

#ifdef __cplusplus
}
#endif

#endif
