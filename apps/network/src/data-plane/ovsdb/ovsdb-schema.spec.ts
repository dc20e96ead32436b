import { describe, expect, it } from '@jest/globals';
import { OvsdbSchema, sameValue } from './ovsdb-schema.js';

const schema = new OvsdbSchema({
  tables: {
    Port: {
      columns: {
        name: { type: 'string' },
        up: { type: { key: 'boolean', min: 0, max: 1 } },
        tags: { type: { key: { type: 'integer' }, min: 0, max: 'unlimited' } },
        group: { type: { key: { type: 'uuid' }, min: 0, max: 1 } },
        ids: { type: { key: 'string', value: 'string', min: 0, max: 'unlimited' } },
        limits: { type: { key: 'string', value: { type: 'integer' }, min: 0, max: 2 } },
      },
    },
  },
});

describe('OvsdbSchema', () => {
  const row = { name: 'one', up: [true], tags: [1, 2], group: ['a-b'], ids: { a: '1' } };

  it('reads a row as it writes it', () => {
    expect(schema.decode('Port', schema.encode('Port', row))).toEqual(row);
  });

  it('reads a set of one that is sent as its only element', () => {
    expect(schema.decode('Port', { up: true, tags: 3, group: ['uuid', 'a-b'] })).toEqual({
      up: [true],
      tags: [3],
      group: ['a-b'],
    });
  });

  it('applies the differences of an update to a row', () => {
    const changes = {
      name: 'two',
      up: false,
      tags: ['set', [2, 3]],
      ids: [
        'map',
        [
          ['a', '2'],
          ['b', '3'],
        ],
      ],
    } as const;
    const patched = schema.patch('Port', row, changes);
    expect(patched).toEqual({
      name: 'two',
      up: [false],
      tags: [1, 3],
      group: ['a-b'],
      ids: { a: '2', b: '3' },
    });
    expect(schema.patch('Port', patched, { ids: ['map', [['b', '3']]] })['ids']).toEqual({
      a: '2',
    });
  });

  it('writes numbers of a map as numbers, and reads them as text', () => {
    const limits = schema.encode('Port', { limits: { rate: '1000' } });
    expect(limits).toEqual({ limits: ['map', [['rate', 1000]]] });
    expect(schema.decode('Port', limits)).toEqual({ limits: { rate: '1000' } });
  });

  it('names an unknown column', () => {
    expect(() => schema.encode('Port', { mtu: 1 })).toThrow('Port.mtu');
  });
});

describe('sameValue', () => {
  it('compares sets and maps in any order', () => {
    expect(sameValue(['b', 'a'], ['a', 'b'])).toBe(true);
    expect(sameValue({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true);
    expect(sameValue(['a'], ['a', 'b'])).toBe(false);
    expect(sameValue(undefined, [])).toBe(false);
  });
});
