/** Types of the secrets service, beyond the tests of `restResource`. */
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../json/json.js';
import { calledIn, testScope } from '../resource-scope.fixture.js';
import type { ResourceType } from '../resource-type.js';
import { certificateContainer, genericContainer, rsaContainer, secret } from './secrets.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

const BASE = 'https://cloud.example/key-manager/v1';
const A = `${BASE}/secrets/a`;
const B = `${BASE}/secrets/b`;

describe('a secret', () => {
  it.each<[Properties, JsonObject]>([
    [{}, {}],
    [{ payload: 'hush' }, { payload: 'hush', payload_content_type: 'text/plain' }],
    [
      {
        payload: 'AAE=',
        payload_content_type: 'application/octet-stream',
        payload_content_encoding: 'base64',
        secret_type: 'symmetric',
        bit_length: 16,
      },
      {
        payload: 'AAE=',
        payload_content_type: 'application/octet-stream',
        payload_content_encoding: 'base64',
        secret_type: 'symmetric',
        bit_length: 16,
      },
    ],
  ])('is created from %j, and identified by its URL', async (properties, sent) => {
    const scope = testScope(secret, {
      properties,
      answers: { 'POST /v1/secrets': { secret_ref: A } },
    });
    expect(await secret.create(scope)).toEqual({ physicalId: A });
    expect(scope.requests[0]?.json).toEqual({ secret_type: 'opaque', ...sent });
  });

  it.each([
    ['text/plain', 'hush', 'hush'],
    ['application/octet-stream', 'hush', 'aHVzaA=='],
  ])('shows the payload of %s', async (type, held, shown) => {
    const scope = testScope(secret, {
      physicalId: A,
      answers: {
        'GET /v1/secrets/a': { status: 'ACTIVE', content_types: { default: type } },
        'GET /v1/secrets/a/payload': held,
      },
    });
    expect(await secret.attributesOf?.(scope, ['status', 'decrypted_payload'])).toEqual({
      status: 'ACTIVE',
      decrypted_payload: shown,
    });
  });

  it('without a payload is not decrypted', async () => {
    const answers = { 'GET /v1/secrets/a': { status: 'ACTIVE' } };
    const scope = testScope(secret, { physicalId: A, answers });
    expect(await secret.attributesOf?.(scope, ['decrypted_payload'])).toEqual({
      decrypted_payload: null,
    });
    expect(calledIn(scope)).toEqual(['GET /v1/secrets/a']);
  });

  it('is deleted by its ID, whatever host its URL names', async () => {
    const scope = testScope(secret, { physicalId: `${A}/` });
    await secret.remove(scope);
    expect(calledIn(scope)).toEqual(['DELETE /v1/secrets/a']);
  });
});

describe('a container', () => {
  it.each<[ResourceType, Properties, JsonObject]>([
    [genericContainer, {}, { type: 'generic', secret_refs: [] }],
    [
      genericContainer,
      { name: 'pair', secrets: [{ name: 'one', ref: A }] },
      { name: 'pair', type: 'generic', secret_refs: [{ name: 'one', secret_ref: A }] },
    ],
    [
      certificateContainer,
      { certificate_ref: A, intermediates_ref: B },
      {
        type: 'certificate',
        secret_refs: [
          { name: 'certificate', secret_ref: A },
          { name: 'intermediates', secret_ref: B },
        ],
      },
    ],
    [
      rsaContainer,
      { public_key_ref: B, private_key_ref: A },
      {
        type: 'rsa',
        secret_refs: [
          { name: 'private_key', secret_ref: A },
          { name: 'public_key', secret_ref: B },
        ],
      },
    ],
  ])('is created: %#', async (type, properties, body) => {
    const address = `${BASE}/containers/c`;
    const answers = { 'POST /v1/containers': { container_ref: address } };
    const scope = testScope(type, { properties, answers });
    expect(await type.create(scope)).toEqual({ physicalId: address });
    expect(scope.requests[0]?.json).toEqual(body);
  });

  it('shows its secrets by their names', async () => {
    const scope = testScope(rsaContainer, {
      physicalId: `${BASE}/containers/c`,
      answers: {
        'GET /v1/containers/c': {
          status: 'ACTIVE',
          secret_refs: [
            { name: 'public_key', secret_ref: A },
            { name: null, secret_ref: B },
          ],
        },
      },
    });
    expect(await rsaContainer.isCreated?.(scope)).toBe(true);
    expect(await rsaContainer.attributesOf?.(scope, ['secret_refs'])).toEqual({
      secret_refs: { public_key: A, '': B },
    });
  });
});

it.each<[ResourceType, Properties, string]>([
  [secret, { payload_content_type: 'text/plain' }, 'without payload'],
  [secret, { payload: 'a', payload_content_encoding: 'base64' }, 'should only be specified for'],
  [secret, { payload: 'a', payload_content_type: 'application/octet-stream' }, 'must be specified'],
  [
    secret,
    {
      payload: 'a!',
      payload_content_type: 'application/octet-stream',
      payload_content_encoding: 'base64',
    },
    'Invalid payload',
  ],
  [rsaContainer, { public_key_ref: A, private_key_ref: A }, 'Duplicate refs'],
  [
    genericContainer,
    {
      secrets: [
        { name: 'one', ref: A },
        { name: 'two', ref: A },
      ],
    },
    'Duplicate refs',
  ],
])('refuses contradicting properties: %#', (type, properties, message) => {
  expect(() => type.validate?.(properties)).toThrow(PropertyError);
  expect(() => type.validate?.(properties)).toThrow(message);
});
