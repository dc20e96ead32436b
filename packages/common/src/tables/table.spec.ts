import { expect, it } from '@jest/globals';
import type { TableShape } from '../database/rows.js';
import { fromWire } from './table.js';

const NULLABLE = ['parentId'];
const DEFAULTS: Readonly<Record<string, unknown>> = { description: '', enabled: true };

const shape = {
  has: (property: string) => NULLABLE.includes(property) || property in DEFAULTS,
  isNullable: (property: string) => NULLABLE.includes(property),
  defaultOf: (property: string) => DEFAULTS[property],
} as Partial<TableShape> as TableShape;

it('reads only the columns named in a body', () => {
  const body = { parent_id: 'a', enabled: false, description: undefined, links: {} };
  expect(fromWire(shape, body)).toEqual({ parentId: 'a', enabled: false });
});

it('treats null as null, or as the default if not nullable', () => {
  expect(fromWire(shape, { parent_id: null, description: null, enabled: null })).toEqual({
    parentId: null,
    description: '',
    enabled: true,
  });
});
