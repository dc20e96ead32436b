import { describe, expect, it } from '@jest/globals';
import type { Properties } from '../constraints/property-schema.js';
import { PropertyError } from '../constraints/property.errors.js';
import { integer, list, text, UPDATABLE } from '../resource-types/declare.js';
import type { ResourceType } from '../resource-types/resource-type.js';
import { changedIn, decide, type Decision } from './decide.js';
import type { Frozen } from './stored.js';

const type: ResourceType = {
  name: 'OS::Test::Thing',
  description: 'A thing.',
  properties: {
    name: text('The name.', UPDATABLE),
    network: text('Its network.'),
    groups: list('Its groups.', UPDATABLE),
    ports: list('The ports.', UPDATABLE),
    zone: text('Its zone.', { immutable: true }),
    size: integer('Its size.', UPDATABLE),
  },
  attributes: {},
  create: () => Promise.resolve({ physicalId: 'thing' }),
  update: () => Promise.resolve({}),
  remove: () => Promise.resolve(),
};

const frozen = (properties: Properties): Frozen => ({ properties, metadata: {}, updatePolicy: {} });

const decided = (before: Properties, after: Properties): Decision =>
  decide(
    type,
    {
      before: frozen(before),
      physicalId: 'thing',
      isFailed: false,
      isUnderWay: false,
      isSameType: true,
      externalId: undefined,
      isNotFound: false,
    },
    frozen(after),
  );

describe('decide', () => {
  it('returns the changes and the step that they require', () => {
    const before = { name: 'a', network: 'n', groups: ['x'], ports: [{ a: 1, b: 2 }], gone: 1 };
    const same = { groups: ['x'], ports: [{ b: 2, a: 1 }] };
    expect(decided(before, { ...same, name: 'b', network: 'n' })).toEqual({
      what: 'update',
      changed: new Set(['name']),
    });
    expect(decided(before, { ...same, name: 'b', network: 'm' })).toEqual({ what: 'replace' });
    expect(() => decided(before, { ...same, name: 'a', network: 'n', zone: 'z' })).toThrow(
      PropertyError,
    );
  });

  it('treats null as absent', () => {
    expect(changedIn(type, frozen({}), frozen({ name: null, zone: null })).size).toBe(0);
  });
});
