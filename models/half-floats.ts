/** 32-bit floats as 16-bit floats, little-endian bytes; rounds to nearest, ties to even (IEEE 754). */
export function halfFloats(values: Float32Array): Uint8Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let index = 0; index < bits.length; index += 1) halves[index] = half(bits[index] ?? 0);
  return new Uint8Array(halves.buffer);
}

function half(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x47800000) return sign | 0x7c00;
  if (magnitude < 0x33000000) return sign;
  if (magnitude >= 0x38800000) return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
  // Below 2^-14 halves have no leading one of their own: shift the whole significand to units of 2^-24.
  const shift = 126 - (magnitude >>> 23);
  const significand = (magnitude & 0x7fffff) | 0x800000;
  const kept = significand >>> shift;
  const rest = significand & ((1 << shift) - 1);
  const middle = 1 << (shift - 1);
  return sign | (kept + (rest > middle || (rest === middle && (kept & 1) === 1) ? 1 : 0));
}
