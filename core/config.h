// What a run is made of: the shape of the model and the way it is trained. Plain values, no
// behaviour.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace poslab {

// Which two numbers of a head RoPE turns together: (i, i + D/2) as in Llama, or (2i, 2i + 1) as in
// the RoFormer paper.
enum class RopePairing { half, adjacent };

std::string name_of(RopePairing pairing);
RopePairing rope_pairing_named(const std::string& name);  // throws on an unknown name

struct GptConfig {
  int vocab_size = 0;                 // V; 0 = as many as the corpus has characters
  int block_size = 64;                // T, the context length in tokens
  int n_layer = 3;                    // L
  int n_head = 4;                     // H; divides n_embd
  int n_embd = 64;                    // C, also called d_model
  std::string positions = "learned";  // a name in position_schemes()
  bool causal = true;                 // false: every token sees every other (an encoder)
  bool tie_weights = true;            // the output layer reuses the token table
  // Token rows are multiplied by this before positions are added; empty = the scheme's own choice,
  // sqrt(n_embd) for sinusoidal (Vaswani et al. 2017, section 3.4) and 1 for the others.
  std::optional<double> embedding_scale;
  double sinusoidal_scale = 1.0;     // the waves are multiplied by this
  double sinusoidal_base = 10000.0;  // wavelengths run from 2 pi to 2 pi base
  double rope_base = 10000.0;
  RopePairing rope_pairing = RopePairing::half;
  double rotary_fraction = 1.0;  // share of each head's width that RoPE turns
  std::uint64_t seed = 0;        // of the initial weights and of the batches

  int head_size() const { return n_embd / n_head; }  // D
};

struct TrainConfig {
  int steps = 1500;
  int batch_size = 16;  // B, windows per step
  double learning_rate = 3e-3;
  double min_lr_ratio = 0.1;  // the cosine ends at learning_rate * min_lr_ratio
  int warmup_steps = 100;
  double weight_decay = 0.1;  // on matrices only
  double beta1 = 0.9;
  double beta2 = 0.99;
  double grad_clip = 1.0;  // largest gradient norm; 0 = no clipping
};

// The first thing wrong with a config as a sentence that names field, value and what is allowed;
// empty when all is well. vocab_size must be known by now.
std::string complaint(const GptConfig& config);
std::string complaint(const TrainConfig& config);

}  // namespace poslab
