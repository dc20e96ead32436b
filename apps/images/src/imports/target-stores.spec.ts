import { describe, expect, it } from '@jest/globals';
import { targetStores } from './imports.service.js';

const KNOWN = ['fast', 'cheap', 'far'];

describe('targetStores', () => {
  it.each([
    ['the default one', {}, undefined, ['fast']],
    ['the default one', { stores: [] }, undefined, ['fast']],
    [
      'those that are named, each once',
      { stores: ['far', 'cheap', 'far'] },
      undefined,
      ['far', 'cheap'],
    ],
    ['the one of the header', {}, 'cheap', ['cheap']],
    ['the one that both ways name', { stores: ['cheap'] }, 'cheap', ['cheap']],
    ['all', { all_stores: true }, undefined, KNOWN],
    ['the default one where not all are asked for', { all_stores: false }, undefined, ['fast']],
  ])('are %s: %j, header %s', (_, asked, header, stores) => {
    expect(targetStores(asked, header, KNOWN)).toEqual(stores);
  });

  it.each([
    [{ all_stores: true, stores: ['fast'] }, undefined],
    [{ all_stores: true }, 'fast'],
    [{ stores: ['fast'] }, 'cheap'],
    [{ stores: ['fast', 'cheap'] }, 'fast'],
  ])('cannot be asked for in two ways that contradict: %j, header %s', (asked, header) => {
    expect(() => targetStores(asked, header, KNOWN)).toThrow('Only one of');
  });

  it('must be there', () => {
    expect(() => targetStores({ stores: ['fast', 'lost'] }, undefined, KNOWN)).toThrow(
      `There is no store 'lost'.`,
    );
  });
});
