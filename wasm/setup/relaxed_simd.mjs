// What Node must be told before it runs the turbo module: Node 20 has relaxed SIMD behind a flag, later ones have it on.

/** Options for a Node program that runs the turbo module. */
export async function relaxedSimdFlags() {
  const { relaxedSimd } = await import("wasm-feature-detect");
  return (await relaxedSimd()) ? [] : ["--experimental-wasm-relaxed-simd"];
}
