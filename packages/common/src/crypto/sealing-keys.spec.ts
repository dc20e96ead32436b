import { describe, expect, it } from '@jest/globals';
import { SealingKeys } from './sealing-keys.js';

const OLD = 'an old secret of the configuration';
const NEW = 'a new secret of the configuration';
const plain = Buffer.from([0, 255, 10, 13, 128]);

describe('SealingKeys', () => {
  const keys = new SealingKeys([NEW, OLD]);

  it('opens what it sealed, byte by byte', () => {
    expect(keys.open(keys.seal(plain, 'row 1'), 'row 1')).toEqual(plain);
  });

  it('never seals the same bytes to the same bytes', () => {
    const [one, other] = [keys.seal(plain, 'row 1'), keys.seal(plain, 'row 1')];
    expect(one.sealed).not.toEqual(other.sealed);
    expect(one.sealed.includes(plain)).toBe(false);
  });

  it('refuses bytes that were sealed for another row', () => {
    expect(() => keys.open(keys.seal(plain, 'row 1'), 'row 2')).toThrow();
  });

  it.each([0, 12, 28])('refuses bytes of which number %i was changed', (at) => {
    const { keyId, sealed } = keys.seal(plain, 'row 1');
    sealed[at] = (sealed[at] ?? 0) ^ 1;
    expect(() => keys.open({ keyId, sealed }, 'row 1')).toThrow();
  });

  it('seals under the first key, and opens what the others sealed', () => {
    const old = new SealingKeys([OLD]).seal(plain, 'row 1');
    expect(keys.open(old, 'row 1')).toEqual(plain);
    expect(keys.ids).toEqual([keys.currentId, old.keyId]);
    expect(keys.seal(plain, 'row 1').keyId).toBe(new SealingKeys([NEW]).currentId);
  });

  it('says which key is missing, and not what it is', () => {
    const sealed = new SealingKeys(['another secret']).seal(plain, 'row 1');
    expect(() => keys.open(sealed, 'row 1')).toThrow(`no key ${sealed.keyId} is configured`);
    expect(sealed.keyId).toMatch(/^[0-9a-f]{16}$/);
  });
});
