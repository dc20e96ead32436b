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
});
