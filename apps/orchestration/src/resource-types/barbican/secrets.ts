/** A secret. Public source: Key Manager API reference, "Secrets API". */
import type {
  Properties,
  PropertySchema,
  PropertySchemas,
} from '../../constraints/property-schema.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Json, JsonObject } from '../../json/json.js';
import {
  attribute,
  custom,
  integer,
  listOf,
  mapOf,
  named,
  oneOf,
  range,
  text,
} from '../declare.js';
import { asObject, asObjects, asText, given, isGiven, mapsIn, textIn } from '../property-values.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { restResource, type RestApi } from '../rest-resource.js';
import type { ServiceCalls } from '../service-calls.js';

const TYPE = 'payload_content_type';
const ENCODING = 'payload_content_encoding';

const TEXT = 'text/plain';
const BYTES = 'application/octet-stream';

const api = secretsApi('secrets', 'secret_ref');

export const secret = restResource({
  name: 'OS::Barbican::Secret',
  description: 'A key, a certificate, a password, or whatever else is not for everybody.',
  support: { status: 'SUPPORTED', version: '2014.2' },
  api,
  properties: {
    name: text('The name of the secret.'),
    payload: text('The payload: a text, or other bytes in base64.'),
    secret_type: text('The description.', {
      default: 'opaque',
      since: '5.0.0',
      constraints: [oneOf('symmetric', 'public', 'private', 'certificate', 'passphrase', 'opaque')],
    }),
    [TYPE]: text('The type of what it holds; by default a text.', {
      constraints: [oneOf(TEXT, BYTES)],
    }),
    [ENCODING]: text('The encoding of a payload that is not text.', {
      constraints: [oneOf('base64')],
    }),
    expiration: text('The time of expiration in ISO 8601.', {
      constraints: [custom('expiration')],
    }),
    algorithm: text('The algorithm that it is for; for information.'),
    bit_length: integer('The length in bits; for information.', { constraints: [range(0)] }),
    mode: text('The mode of the algorithm; for information.'),
  },
  attributes: {
    status: attribute('string', 'Whether it can be used.'),
    decrypted_payload: {
      ...attribute('string', 'The payload: a text, or other bytes in base64.'),
      from: payloadOf,
    },
  },
  validate,
  body: (properties) => ({
    name: textIn(properties, 'name'),
    [TYPE]: isGiven(properties, 'payload') ? (textIn(properties, TYPE) ?? TEXT) : undefined,
  }),
});

async function payloadOf(
  shown: JsonObject,
  { row }: ExistingScope,
  calls: ServiceCalls,
): Promise<Json> {
  const type = asObject(shown['content_types'])?.['default'];
  if (type === undefined) return null;
  const id = api.segmentOf?.(row.physicalId) ?? '';
  const bytes = await calls.bytes(`/v1/secrets/${encodeURIComponent(id)}/payload`);
  return bytes.toString(type === TEXT ? 'utf8' : 'base64');
}

function validate(properties: Properties): void {
  const [payload = '', type, encoding] = ['payload', TYPE, ENCODING].map((name) =>
    textIn(properties, name),
  );
  if (type !== undefined && payload === '')
    throw new PropertyError(TYPE, `${TYPE} cannot be specified without payload.`);
  if (encoding !== undefined && type !== BYTES)
    throw new PropertyError(
      ENCODING,
      `${ENCODING} property should only be specified for ${TYPE} with value ${BYTES}.`,
    );
  if (type !== BYTES) return;
  if (encoding === undefined)
    throw new PropertyError(
      ENCODING,
      `Property unspecified. For '${BYTES}' value of '${TYPE}' property, '${ENCODING}' property must be specified.`,
    );
  if (!isBase64(payload))
    throw new PropertyError(
      'payload',
      `Invalid payload for specified '${encoding}' value of '${ENCODING}' property.`,
    );
}

function isBase64(given: string): boolean {
  const bare = given.replaceAll(/\s/g, '');
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(bare);
}

type Held = readonly (readonly [name: string, address: string])[];

interface ContainerDeclaration {
  readonly name: string;
  readonly description: string;
  /** The service's name for the type. */
  readonly kind: 'generic' | 'certificate' | 'rsa';
  readonly properties: PropertySchemas;
  readonly held: (properties: Properties) => Held;
}

function container({
  name,
  description,
  kind,
  properties,
  held,
}: ContainerDeclaration): ResourceType {
  return restResource({
    name,
    description,
    support: { status: 'SUPPORTED', version: '6.0.0' },
    api: secretsApi('containers', 'container_ref'),
    properties: { name: text('The name of the container.'), ...properties },
    attributes: {
      status: attribute('string', 'Whether it can be used.'),
      container_ref: attribute('string', 'The address.'),
      secret_refs: {
        ...attribute('map', 'The addresses of its secrets, by what they are called in it.'),
        from: ({ secret_refs: refs }): JsonObject =>
          Object.fromEntries(
            asObjects(refs).map((ref) => [asText(ref['name']), asText(ref['secret_ref'])]),
          ),
      },
      consumers: attribute('list', 'The consumers.'),
    },
    validate(given) {
      const addresses = held(given).map(([, address]) => address);
      if (new Set(addresses).size !== addresses.length)
        throw new PropertyError('secrets', 'Duplicate refs are not allowed.');
    },
    fields: null,
    body: (all) => ({
      ...given(all, 'name'),
      type: kind,
      secret_refs: held(all).map(([called, address]) => ({ name: called, secret_ref: address })),
    }),
    states: {
      field: 'status',
      ready: ['ACTIVE'],
      failed: ['ERROR'],
      reason: ({ error_reason: reason }) => asText(reason),
    },
  });
}

/** Containers of secrets. Public source: Key Manager API reference, "Containers API". */
export const genericContainer = container({
  name: 'OS::Barbican::GenericContainer',
  description: 'Secrets of any kind that belong together.',
  kind: 'generic',
  properties: {
    secrets: listOf(
      mapOf(
        {
          name: text('What it is called in the container.', { required: true }),
          ref: named('barbican.secret', 'The address.', { required: true }),
        },
        'A secret.',
      ),
      'The secrets.',
    ),
  },
  held: (properties) =>
    (mapsIn(properties, 'secrets') ?? []).map(({ name, ref }) => [asText(name), asText(ref)]),
});

const secretOf = (what: string): PropertySchema =>
  named('barbican.secret', `The address of the secret that is ${what}.`);

/** @param names of secrets in a container, each with a property such as `certificate_ref` */
const heldAs =
  (...names: readonly string[]) =>
  (properties: Properties): Held =>
    names.flatMap((name) => {
      const address = textIn(properties, `${name}_ref`);
      return address === undefined ? [] : [[name, address] as const];
    });

export const certificateContainer = container({
  name: 'OS::Barbican::CertificateContainer',
  description: 'A certificate, with its key and those that it is signed by.',
  kind: 'certificate',
  properties: {
    certificate_ref: secretOf('the certificate'),
    private_key_ref: secretOf('its private key'),
    private_key_passphrase_ref: secretOf('the passphrase of the key'),
    intermediates_ref: secretOf('the certificates that it is signed by'),
  },
  held: heldAs('certificate', 'private_key', 'private_key_passphrase', 'intermediates'),
});

export const rsaContainer = container({
  name: 'OS::Barbican::RSAContainer',
  description: 'A pair of keys of RSA.',
  kind: 'rsa',
  properties: {
    private_key_ref: secretOf('the private key'),
    private_key_passphrase_ref: secretOf('the passphrase of the key'),
    public_key_ref: secretOf('the public key'),
  },
  held: heldAs('private_key', 'private_key_passphrase', 'public_key'),
});

/**
 * The secrets service, whose resources are known by their URL, as other services expect.
 * Public source: Key Manager API reference, v1.
 * @param reference the field with the URL: `secret_ref`
 */
export function secretsApi(collection: string, reference: string): RestApi {
  return {
    service: 'secrets',
    collection: `/v1/${collection}`,
    entity: null,
    id: reference,
    // The ID is used in this cloud's service, whatever host the URL names.
    segmentOf: (address) => address.replace(/\/$/, '').split('/').at(-1) ?? '',
  };
}
