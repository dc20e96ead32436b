/** A secret. Public source: Key Manager API reference, "Secrets API". */
import type { Json, JsonObject } from '../../json/json.js';
import { attribute, custom, integer, oneOf, range, text } from '../declare.js';
import { asObject, given, isGiven, textIn } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import type { ServiceCalls } from '../service-calls.js';
import { secretsApi } from './secrets-api.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

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
    payload: text('What it holds: a text, or other bytes in base64.'),
    secret_type: text('What it is.', {
      default: 'opaque',
      since: '5.0.0',
      constraints: [oneOf('symmetric', 'public', 'private', 'certificate', 'passphrase', 'opaque')],
    }),
    [TYPE]: text('The type of what it holds; by default a text.', {
      constraints: [oneOf(TEXT, BYTES)],
    }),
    [ENCODING]: text('How what it holds is given, where it is no text.', {
      constraints: [oneOf('base64')],
    }),
    expiration: text('When it ceases to exist, in ISO 8601.', {
      constraints: [custom('expiration')],
    }),
    algorithm: text('The algorithm that it is for; for information.'),
    bit_length: integer('How many bits it has; for information.', { constraints: [range(0)] }),
    mode: text('The mode of the algorithm; for information.'),
  },
  attributes: {
    status: attribute('string', 'Whether it can be used.'),
    decrypted_payload: {
      ...attribute('string', 'What it holds: a text, or other bytes in base64.'),
      from: payloadOf,
    },
  },
  validate,
  body: (properties) => ({
    ...given(properties, 'name', 'secret_type', 'expiration', 'algorithm', 'bit_length', 'mode'),
    ...given(properties, 'payload', ENCODING),
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

/** @throws PropertyError */
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
