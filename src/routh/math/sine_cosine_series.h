// sin r = r + r z S(z) and cos r = 1 − z/2 + z² C(z) with z = r², |r| ≤ π/4: the polynomials of least greatest error
// (Remez), below 6e-18; summed by Estrin's scheme, since a kernel waits for them. Over doubles and
// vector registers; those are returned through references, which need no convention of calling.
#pragma once

namespace routh::internal {

template <class Number>
[[gnu::always_inline]] inline void sine_series(const Number& z, Number& series) {
  const Number s1 = z * 0x1.111111110f928p-7 - 0x1.5555555555549p-3;
  const Number s2 = z * 0x1.71de359ae95b7p-19 - 0x1.a01a019c3406cp-13;
  const Number s3 = z * 0x1.5d9b55d13ad36p-33 - 0x1.ae5e83287e46fp-26;
  const Number zz = z * z;
  series = (s3 * zz + s2) * zz + s1;
}

template <class Number>
[[gnu::always_inline]] inline void cosine_series(const Number& z, Number& series) {
  const Number c1 = z * -0x1.6c16c16c15047p-10 + 0x1.555555555554cp-5;
  const Number c2 = z * -0x1.27e4f78134cbcp-22 + 0x1.a01a019c441e6p-16;
  const Number c3 = z * -0x1.8f68238b120adp-37 + 0x1.1ee971f95fa2bp-29;
  const Number zz = z * z;
  series = (c3 * zz + c2) * zz + c1;
}

}  // namespace routh::internal
