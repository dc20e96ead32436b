import { expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import { adoptedOf } from './create-stack.js';

const one = { resource_id: 'id', resource_data: { value: 'a' }, metadata: { m: 1 } };
const known = { physicalId: 'id', data: { value: 'a' }, metadata: { m: 1 } };

it('reads the resources of adopted data, nested ones included', () => {
  const template = { resources: {} };
  const group = { resource_id: 'group', template, resources: { 0: one } };
  const bare = { resources: { inner: one, none: { resource_id: null } } };
  expect(adoptedOf({ resources: { one, group, bare, never: { resource_id: '' } } })).toEqual({
    one: known,
    group: {
      physicalId: 'group',
      data: {},
      metadata: undefined,
      below: { template, resources: { 0: known } },
    },
    bare: {
      physicalId: null,
      data: {},
      metadata: undefined,
      below: { template: undefined, resources: { inner: known } },
    },
  });
  expect(adoptedOf({})).toEqual({});
});

it.each<[JsonObject, string]>([
  [{ resources: [] }, 'resources is no map.'],
  [{ resources: { one: 1 } }, 'resources.one is no map.'],
  [{ resources: { one: { resources: { two: [] } } } }, 'resources.one.resources.two is no map.'],
])('names the fault in %j', (data, message) => {
  expect(() => adoptedOf(data)).toThrow(`Invalid adopt data: ${message}`);
});

it('refuses adopted data beyond the maximum depth', () => {
  let data: JsonObject = { resources: {} };
  for (let at = 0; at < 10_000; at += 1) data = { resources: { deep: data } };
  expect(() => adoptedOf(data)).toThrow('more than 50 levels deep below deep');
});
