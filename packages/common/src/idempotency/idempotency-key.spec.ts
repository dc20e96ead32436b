import { describe, expect, it } from '@jest/globals';
import { asId } from '../context/ids.js';
import type { RequestContextFields } from '../context/request-context.js';
import { InvalidInputError } from '../errors/domain-error.js';
import { keyedRequestOf, type KeyOwner } from './idempotency-key.js';

type Request = Parameters<typeof keyedRequestOf>[0];

const request = {
  method: 'POST',
  routeOptions: { url: '/things/:id' },
  params: { id: 'one' },
  query: {},
  body: { a: 1, b: [{ c: 2, d: 3 }] },
} as unknown as Request;

const fields = {
  userId: asId('user'),
  projectId: asId('project'),
  scope: 'project',
} as RequestContextFields;

interface Options {
  readonly key?: string;
  readonly owner?: KeyOwner;
}

const keyed = (changes: object = {}, caller: object = {}, options: Options = {}) => {
  const { key = 'k', owner = 'project' } = options;
  const ctx = { fields: { ...fields, ...caller } };
  return keyedRequestOf({ ...request, ...changes }, ctx, key, owner);
};

describe('a request with an Idempotency-Key', () => {
  it.each([
    ['is empty', ''],
    ['has a space', 'a b'],
    ['has a control character', 'a\tb'],
    ['is not ASCII', 'schlüssel'],
    ['has 256 characters', 'k'.repeat(256)],
  ])('is refused where the key %s', (_, key) => {
    expect(() => keyed({}, {}, { key })).toThrow(InvalidInputError);
  });

  it.each(['k', 'k'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', '!~'])(
    'may have the key %s',
    (key) => expect(() => keyed({}, {}, { key })).not.toThrow(),
  );

  it('does not depend on the order of properties', () => {
    const body = { b: [{ d: 3, c: 2 }], a: 1 };
    expect(keyed({ body })).toEqual(keyed());
  });

  it('is separate for each delegate if separate for each user', () => {
    const delegations = [
      undefined,
      { kind: 'trust', id: 'one' },
      { kind: 'trust', id: 'two' },
      { kind: 'application-credential', id: 'one' },
    ];
    const ids = delegations.map((delegation) => keyed({}, { delegation }, { owner: 'user' }).id);
    expect(new Set(ids).size).toBe(delegations.length);
    expect(keyed({}, { delegation: delegations[1] })).toEqual(keyed());
  });

  it.each([
    ['body', { body: { a: 1, b: [{ c: 2, d: 4 }] } }, {}],
    ['order of a list', { body: { a: 1, b: [{ d: 3 }, { c: 2 }] } }, {}],
    ['float', { body: { a: Object(1.5) as number, b: [{ c: 2, d: 3 }] } }, {}],
    ['integer', { body: { a: 2n ** 64n, b: [{ c: 2, d: 3 }] } }, {}],
    ['query', { query: { dry: '1' } }, {}],
    ['microversion', {}, { microversion: '2.9' }],
  ])('with another %s is another under the same key', (_, changes, caller) => {
    expect(keyed(changes, caller).id).toBe(keyed().id);
    expect(keyed(changes, caller).fingerprint).not.toBe(keyed().fingerprint);
  });

  it.each([
    ['route', { routeOptions: { url: '/others/:id' } }, {}],
    ['parameter of the path', { params: { id: 'two' } }, {}],
    ['project', {}, { projectId: 'other' }],
  ])('of another %s has nothing to do with it', (_, changes, caller) => {
    expect(keyed(changes, caller).id).not.toBe(keyed().id);
  });

  it('is shared by the members of a project, unless the resource belongs to users', () => {
    const other = { userId: asId('other') };
    expect(keyed({}, other).id).toBe(keyed().id);
    const owner = 'user';
    expect(keyed({}, other, { owner }).id).not.toBe(keyed({}, {}, { owner }).id);
    const unscoped = { projectId: undefined, scope: 'unscoped' };
    expect(keyed({}, unscoped, { owner }).id).not.toBe(keyed({}, {}, { owner }).id);
  });
});
