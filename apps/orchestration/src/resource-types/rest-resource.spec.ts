import { describe, expect, it } from '@jest/globals';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { attribute, text, UPDATABLE } from './declare.js';
import { asText } from './property-values.js';
import { NotYetError, ResourceInErrorError, ServiceMissingError } from './resource-type.errors.js';
import { calledIn, changed, Refusal, testScope } from './resource-scope.fixture.js';
import { restResource } from './rest-resource.js';

const thing = restResource({
  name: 'OS::Test::Thing',
  description: 'A thing.',
  api: {
    service: 'network',
    collection: '/v2.0/things',
    entity: 'thing',
    options: { isBusy: ({ status }) => status === 409 },
  },
  properties: {
    name: text('The name.', UPDATABLE),
    colour: text('Its colour.', UPDATABLE),
    shape: text('Its shape.', UPDATABLE),
    home: text('Links to it.'),
    place: text('What it stands on.', UPDATABLE),
  },
  attributes: {
    colour: attribute('string', 'Its colour.'),
    size: { ...attribute('integer', 'Its size.'), from: 'width' },
    twice: { ...attribute('integer', 'Its size twice.'), from: ({ width }) => Number(width) * 2 },
  },
  fields: { place: null },
  states: {
    field: 'status',
    ready: ['ACTIVE'],
    failed: ['ERROR'],
    gone: ['DELETED'],
    reason: ({ fault }) => asText(fault),
  },
  deletesAsynchronously: true,
  change: {
    method: 'PUT',
    createOnly: ['home'],
    fixed: ['place'],
    cleared: { colour: 'none' },
    retained: ['shape'],
  },
});

const path = '/v2.0/things';
const at = `${path}/id-1`;

describe('a plain resource', () => {
  it('is created under its key, with a generated name by default', async () => {
    const answers = { [`POST ${path}`]: { thing: { id: 'id-7' } } };
    const scope = testScope(thing, { properties: { colour: 'red' }, answers });
    expect(await thing.create(scope)).toEqual({ physicalId: 'id-7' });
    expect(scope.requests).toEqual([
      {
        service: 'network',
        method: 'POST',
        path,
        key: 'key',
        json: { thing: { colour: 'red', name: 'shop-web-k3jd8s2mxq5p' } },
      },
    ]);
  });

  it.each([
    ['BUILD', false],
    ['ACTIVE', true],
  ])('in status %s is complete: %s', async (status, isThere) => {
    const scope = testScope(thing, { answers: { [`GET ${at}`]: { thing: { status } } } });
    expect(await thing.isCreated?.(scope)).toBe(isThere);
  });

  it('reports why it failed', async () => {
    const answers = { [`GET ${at}`]: { thing: { status: 'ERROR', fault: 'No room.' } } };
    await expect(thing.isCreated?.(testScope(thing, { answers }))).rejects.toThrow(
      new ResourceInErrorError('ERROR', 'No room.'),
    );
  });

  it('fails if it disappears during its creation', async () => {
    await expect(thing.isCreated?.(testScope(thing))).rejects.toThrow(ResourceInErrorError);
  });

  it('is updated with changed fields only', async () => {
    const before = { name: 'a', colour: 'red', shape: 'round', home: 'here' };
    const after = { name: 'b', home: 'there' };
    const answers = { [`PUT ${at}`]: {} };
    const [scope, change] = changed(thing, before, { properties: after, answers });
    await thing.update?.(scope, change);
    expect(scope.requests).toMatchObject([
      { path: at, json: { thing: { name: 'b', colour: 'none' } } },
    ]);
    const { thing: sent } = (scope.requests[0]?.json ?? {}) as { thing: object };
    expect(Object.keys(sent)).toHaveLength(2);
  });

  it('is not updated without changed fields', async () => {
    const [scope, change] = changed(thing, { home: 'a' }, { properties: { home: 'b' } });
    await thing.update?.(scope, change);
    expect(scope.requests).toEqual([]);
  });

  it('refuses changes that its service does not support', async () => {
    const properties = { colour: 'red', place: 'b' };
    const [scope, change] = changed(thing, { place: 'a' }, { properties });
    await expect(thing.update?.(scope, change)).rejects.toThrow('Property place cannot be changed');
    expect(scope.requests).toEqual([]);
  });

  it('is deleted, even if it is gone already', async () => {
    const scope = testScope(thing);
    await thing.remove(scope);
    expect(calledIn(scope)).toEqual([`DELETE ${at}`]);
  });

  it.each([
    ['is not there', undefined, true],
    ['counts as deleted', { thing: { status: 'DELETED' } }, true],
    ['is still there', { thing: { status: 'ACTIVE' } }, false],
  ])('is gone if it %s', async (_, answer, isGone) => {
    const scope = testScope(thing, { answers: { [`GET ${at}`]: answer } });
    expect(await thing.isRemoved?.(scope)).toBe(isGone);
  });

  it('waits while the service is busy, and fails with the message of a refusal', async () => {
    const busy = testScope(thing, {
      answers: { [`DELETE ${at}`]: new Refusal(409, 'Immutable.') },
    });
    await expect(thing.remove(busy)).rejects.toThrow(NotYetError);
    const refused = testScope(thing, { answers: { [`DELETE ${at}`]: new Refusal(403, 'No.') } });
    await expect(thing.remove(refused)).rejects.toThrow(ServiceRefusedError);
  });

  it('reads all its attributes with one request', async () => {
    const answers = { [`GET ${at}`]: { thing: { colour: 'red', width: 4 } } };
    const scope = testScope(thing, { answers });
    expect(await thing.attributesOf?.(scope, ['colour', 'size', 'twice'])).toEqual({
      colour: 'red',
      size: 4,
      twice: 8,
    });
    expect(scope.requests).toHaveLength(1);
    expect(await thing.read?.(scope)).toEqual({ colour: 'red', width: 4 });
  });

  it('reports fields that its service shows with other values', async () => {
    const shown = { name: 'b', colour: 'red', shape: ['x', 'y'], home: 'there', width: 4 };
    const properties = { name: null, colour: 'red', shape: ['y', 'x'], home: 'here' };
    const answers = { [`GET ${at}`]: { thing: shown } };
    const scope = testScope(thing, { properties, answers });
    expect(await thing.drifted?.(scope)).toEqual({ name: 'b' });
    expect(await thing.drifted?.(testScope(thing))).toBeUndefined();
  });

  it('names the service that a cloud does not have', async () => {
    const scope = testScope(thing, { services: { network: undefined } });
    await expect(thing.create(scope)).rejects.toThrow(new ServiceMissingError('network'));
  });
});
