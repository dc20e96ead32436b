import { describe, expect, it } from '@jest/globals';
import { Seal } from './seal.js';

describe('Seal', () => {
  const seal = new Seal('a secret of the configuration');

  it('decrypts what it encrypted', () => {
    expect(seal.open(seal.seal('pässword'))).toBe('pässword');
  });

  it('never encrypts the same text to the same bytes', () => {
    expect(seal.seal('x')).not.toBe(seal.seal('x'));
  });

  it('refuses data of another key', () => {
    expect(() => new Seal('another').open(seal.seal('x'))).toThrow();
  });

  it('refuses a text with one byte changed', () => {
    const bytes = Buffer.from(seal.seal('hello').slice(3), 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => seal.open(`v1.${bytes.toString('base64')}`)).toThrow();
  });

  it('computes digests that depend on its key', () => {
    const digest = seal.digest('hello');
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(seal.digest('hello')).toBe(digest);
    expect(seal.digest('hellp')).not.toBe(digest);
    expect(new Seal('another').digest('hello')).not.toBe(digest);
  });

  describe('with several keys', () => {
    const old = new Seal('the old key');
    const both = new Seal('the new key', ['the old key']);

    it('opens what either sealed, named or not', () => {
      const next = new Seal('the old key', ['the new key']);
      const texts = [old, next, both, new Seal('the new key')].map((one) => one.seal('x'));
      for (const one of [both, next])
        expect(texts.map((text) => one.open(text))).toEqual(Array(4).fill('x'));
    });

    it('seals under the first, and names it', () => {
      const sealed = both.seal('x');
      expect(both.currentPrefix).toMatch(/^v2\.[0-9a-f]{16}\.$/);
      expect(sealed.startsWith(both.currentPrefix)).toBe(true);
      expect(new Seal('the new key').open(sealed)).toBe('x');
      expect(() => old.open(sealed)).toThrow(/^no key [0-9a-f]{16} is configured$/);
    });

    it('recognises digests of each, and of the key that it is told to sign with', () => {
      const [before, now] = [old.digest('x'), both.digest('x')];
      expect([before, now].map((digest) => both.isDigest('x', digest))).toEqual([true, true]);
      expect(both.isDigest('y', now)).toBe(false);
      expect(old.isDigest('x', now)).toBe(false);
      const last = new Seal('the new key');
      last.signWith(old.signingKey);
      expect(last.digest('x')).toBe(before);
      expect(last.isDigest('x', before)).toBe(true);
    });
  });

  it('names no key while it has one, as release 0.1.0 writes and reads', () => {
    expect(seal.seal('x')).toMatch(/^v1\.[A-Za-z0-9+/=]+$/);
    // Written by release 0.1.0.
    expect(new Seal('a key').open('v1.LrRPuIB+an7axKi1eTWhHaWYJvExSArXLIqn1NdviM7Z59lV8A==')).toBe(
      'as it was',
    );
  });
});
