import { describe, expect, it } from '@jest/globals';
import { SealingKeys } from './sealing-keys.js';

const OLD = 'an old secret of the configuration';
const NEW = 'a new secret of the configuration';
const plain = Buffer.from([0, 255, 10, 13, 128]);

describe('SealingKeys', () => {
  const keys = new SealingKeys([NEW, OLD]);

  it('decrypts what it encrypted, byte by byte', () => {
    expect(keys.open(keys.seal(plain, 'row 1'), 'row 1')).toEqual(plain);
  });

  it('never encrypts the same bytes to the same bytes', () => {
    const [one, other] = [keys.seal(plain, 'row 1'), keys.seal(plain, 'row 1')];
    expect(one.sealed).not.toEqual(other.sealed);
    expect(one.sealed.includes(plain)).toBe(false);
  });

  it('refuses bytes of another row', () => {
    expect(() => keys.open(keys.seal(plain, 'row 1'), 'row 2')).toThrow();
  });

  it.each([0, 12, 28])('refuses bytes of which number %i was changed', (at) => {
    const { keyId, sealed } = keys.seal(plain, 'row 1');
    sealed[at] = (sealed[at] ?? 0) ^ 1;
    expect(() => keys.open({ keyId, sealed }, 'row 1')).toThrow();
  });

  it('encrypts with the first key, and decrypts data of the others', () => {
    const old = new SealingKeys([OLD]).seal(plain, 'row 1');
    expect(keys.open(old, 'row 1')).toEqual(plain);
    expect(keys.ids).toEqual([keys.currentId, old.keyId]);
    expect(keys.seal(plain, 'row 1').keyId).toBe(new SealingKeys([NEW]).currentId);
  });

  it('names the missing key without revealing it', () => {
    const sealed = new SealingKeys(['another secret']).seal(plain, 'row 1');
    expect(() => keys.open(sealed, 'row 1')).toThrow(`no key ${sealed.keyId} is configured`);
    expect(sealed.keyId).toMatch(/^[0-9a-f]{16}$/);
  });
});
