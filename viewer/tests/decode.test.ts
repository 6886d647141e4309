import { describe, expect, it } from 'vitest';
import { decode, DocumentError, parse_document } from '../src/document';
import { fill, pack } from './packing.mjs';
import { bouncing_disc, hostile_names } from './samples.mjs';

describe('packed arrays', () => {
  it('reads bytes written by hand, little-endian', () => {
    // 1.0 is 3f800000, −2.5 is c0200000; 1.5 as a double is 3ff8000000000000; −2 as an int is fffffffe.
    const base64 = (...bytes: number[]) => btoa(String.fromCharCode(...bytes));
    expect([...decode({ type: 'f32', shape: [2], base64: base64(0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0) })]).toEqual([1, -2.5]);
    expect([...decode({ type: 'f64', shape: [1], base64: base64(0, 0, 0, 0, 0, 0, 0xf8, 0x3f) })]).toEqual([1.5]);
    expect([...decode({ type: 'i32', shape: [1], base64: base64(0xfe, 0xff, 0xff, 0xff) })]).toEqual([-2]);
    expect([...decode({ type: 'u8', shape: [3], base64: base64(0, 1, 255) })]).toEqual([0, 1, 255]);
  });
  it('keeps NaN and row order', () => {
    const values = decode(pack('f32', [2, 3], [1, 2, 3, 4, NaN, 6]));
    expect([...values]).toEqual([1, 2, 3, 4, NaN, 6]);
  });
  it('takes an empty array', () => {
    expect(decode(pack('f32', [0, 3], [])).length).toBe(0);
  });
  it('refuses a wrong length, a wrong type, damaged text', () => {
    expect(() => decode({ ...pack('f32', [3], [1, 2, 3]), shape: [4] }, 'gap')).toThrow(/gap: 12 bytes.*16/);
    expect(() => decode({ type: 'f16' as 'f32', shape: [0], base64: '' })).toThrow(DocumentError);
    expect(() => decode({ type: 'u8', shape: [1], base64: '!!' })).toThrow(/damaged/);
    expect(() => decode(undefined as never)).toThrow(DocumentError);
  });
});

describe('the document in the page', () => {
  it('says what is wrong', () => {
    expect(() => parse_document(' \n')).toThrow(/no document/);
    expect(() => parse_document('\n@ANYTHING@\n')).toThrow(/empty page/);
    expect(() => parse_document('{"routh": 1,')).toThrow(/not valid JSON/);
    expect(() => parse_document('[1]')).toThrow(/not an object/);
    expect(() => parse_document('{"routh": 2, "kind": "run"}')).toThrow(/version 2/);
    expect(() => parse_document('{"routh": 1}')).toThrow(/kind/);
  });
  it('fills in what may be missing', () => {
    expect(parse_document('{"routh": 1, "kind": "run"}')).toMatchObject({ title: 'Routh', warnings: [], program_version: '' });
  });
  it('comes back from the page as it went in, with no markup left', () => {
    const page = { ...bouncing_disc({ duration: 0.1 }), title: hostile_names.join(' & \u2028\u2029') };
    const filled = fill('<script id="routh-document">@ROUTH_DOCUMENT@</script>', page);
    const text = filled.slice('<script id="routh-document">'.length, -'</script>'.length);
    expect(text).not.toMatch(/[<>&\u2028\u2029]/);
    expect(parse_document(text)).toEqual(JSON.parse(JSON.stringify(page)));
  });
});
