// How a model is told where its tokens are. A scheme may act in three places, each with its inverse
// for the backward pass, all optional:
//   embed   adds a row to each token's row before the first block      (learned, sinusoidal)
//   rotate  turns every query and key by an angle of its position      (RoPE)
//   bias    adds a number by distance to every attention score         (ALiBi)
// A new scheme is one file that derives from these two classes and one line in registry.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "config.h"
#include "parameters.h"

namespace poslab {

// A scheme at work in one model.
class Position {
 public:
  virtual ~Position() = default;

  // Called before positions 0 … n-1 are used; builds tables or throws when the scheme has no such
  // positions. Must be cheap when nothing is missing.
  virtual void prepare(int n_positions) { (void)n_positions; }

  // x (T,C) += the rows of positions first … first+T-1.
  virtual void embed_forward(const float* weights, int first, int T, int C, float* x) const {
    (void)weights, (void)first, (void)T, (void)C, (void)x;
  }
  // grads += what dx (B,T,C) says about the scheme's parameters, positions from 0.
  virtual void embed_backward(const float* dx, int B, int T, int C, float* grads) const {
    (void)dx, (void)B, (void)T, (void)C, (void)grads;
  }
  // Whether embed_forward adds anything: then the page can draw the rows.
  virtual bool adds_rows() const { return false; }

  // Turns H heads of D numbers, lying one after another at x, by the angle of a position, and back.
  virtual bool rotates() const { return false; }
  virtual void rotate_forward(float* x, int position, int H, int D) const {
    (void)x, (void)position, (void)H, (void)D;
  }
  virtual void rotate_backward(float* dx, int position, int H, int D) const {
    (void)dx, (void)position, (void)H, (void)D;
  }

  // The row to add to the scores of one query: element j belongs to the key at position j; readable
  // up to the prepared number of positions, rounded up to 4. nullptr = nothing to add.
  virtual const float* bias_row(int head, int query_position) const {
    (void)head, (void)query_position;
    return nullptr;
  }
};

// A scheme as the registry lists it.
class PositionScheme {
 public:
  virtual ~PositionScheme() = default;
  virtual std::string name() const = 0;     // as in GptConfig::positions
  virtual std::string title() const = 0;    // as a heading
  virtual std::string summary() const = 0;  // one sentence
  // What token rows are multiplied by when the config leaves it open.
  virtual double default_embedding_scale(const GptConfig& config) const {
    (void)config;
    return 1.0;
  }
  // Throws a sentence when the config does not fit the scheme; the config's own ranges have been
  // checked.
  virtual void check(const GptConfig& config) const { (void)config; }
  // Declares the scheme's parameters and makes it ready for config.block_size positions.
  virtual std::unique_ptr<Position> make(const GptConfig& config,
                                         ParameterList& parameters) const = 0;
};

}  // namespace poslab
