import { describe, expect, it } from 'vitest';
import {
  counts,
  counts_words,
  difference_words,
  digits_of,
  groups,
  ours_words,
  printed_words,
  type Entry,
} from '../src/pages/papers_data';
import papers from './pages_data/papers.json';

const entry = (change: Partial<Entry>): Entry => ({
  name: 'x',
  where: '',
  printed: '0.8411',
  ours: 0.8410686,
  difference: -3.1e-5,
  status: 'agrees',
  note: null,
  ...change,
});

describe('values of a paper', () => {
  it('are counted', () => {
    const values = papers.papers.flatMap((paper) => paper.values as Entry[]);
    expect(counts(values)).toEqual(papers.summary);
    expect(counts_words({ agrees: 5, misprints: 1, mismatches: 0 })).toBe(
      '5 agree, 1 documented misprint, 0 mismatches',
    );
    expect(counts_words({ agrees: 0, misprints: 2, mismatches: 1 })).toBe(
      '0 agree, 2 documented misprints, 1 mismatch',
    );
  });
  it('stand under their headings, in their order', () => {
    const listed = groups([entry({ group: 'a' }), entry({ group: 'a' }), entry({ group: 'b' }), entry({})]);
    expect(listed.map((g) => [g.title, g.entries.length])).toEqual([
      ['a', 2],
      ['b', 1],
      ['', 1],
    ]);
  });
});

describe('numbers', () => {
  it('stay as they are printed', () => {
    expect(printed_words(entry({ printed: '-0.0930' }))).toBe('−0.0930');
    expect(printed_words(entry({ printed: 'saddle point' }))).toBe('saddle point');
    expect(printed_words(entry({ printed: 0.663613057868324 }))).toBe('0.663613');
  });
  it('of ours have a digit more than what is printed', () => {
    expect(ours_words(entry({ printed: '0.84106867', ours: 0.841068670567 }))).toBe('0.841068671');
    expect(ours_words(entry({ ours: 'unstable node' }))).toBe('unstable node');
  });
  it.each([
    ['0.8411', 4],
    ['-1.006', 4],
    ['22', 2],
    ['0.0930', 3],
    ['two', 0],
    ['1.2e-5', 2],
    ['', 0],
  ])('%s has %i digits', (text, digits) => expect(digits_of(text)).toBe(digits));
  it('differ by nothing when only rounding does', () => {
    expect(difference_words(entry({ difference: 1e-16 }))).toBe('0');
    expect(difference_words(entry({ difference: -0.035 }))).toBe('−0.035');
    expect(difference_words(entry({ difference: null }))).toBe('');
  });
});
