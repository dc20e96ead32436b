/** Secrets that belong together. Public source: Key Manager API reference, "Containers API". */
import type { JsonObject } from '../../json/json.js';
import { attribute, listOf, mapOf, named, text } from '../declare.js';
import type {
  Properties,
  PropertySchema,
  PropertySchemas,
} from '../../constraints/property-schema.js';
import { asObjects, asText, given, mapsIn, textIn } from '../property-values.js';
import type { ResourceType } from '../resource-type.js';
import { restResource } from '../rest-resource.js';
import { secretsApi } from './secrets-api.js';
import { PropertyError } from '../../constraints/property.errors.js';

/** What a secret is called in its container, and its address. */
type Held = readonly (readonly [name: string, address: string])[];

interface ContainerDeclaration {
  readonly name: string;
  readonly description: string;
  /** As the service calls it. */
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
      container_ref: attribute('string', 'Its address.'),
      secret_refs: {
        ...attribute('map', 'The addresses of its secrets, by what they are called in it.'),
        from: ({ secret_refs: refs }): JsonObject =>
          Object.fromEntries(
            asObjects(refs).map((ref) => [asText(ref['name']), asText(ref['secret_ref'])]),
          ),
      },
      consumers: attribute('list', 'What uses it.'),
    },
    validate(given) {
      const addresses = held(given).map(([, address]) => address);
      if (new Set(addresses).size !== addresses.length)
        throw new PropertyError('secrets', 'Duplicate refs are not allowed.');
    },
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

export const genericContainer = container({
  name: 'OS::Barbican::GenericContainer',
  description: 'Secrets of any kind that belong together.',
  kind: 'generic',
  properties: {
    secrets: listOf(
      mapOf(
        {
          name: text('What it is called in the container.', { required: true }),
          ref: named('barbican.secret', 'Its address.', { required: true }),
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

/** @param names of secrets in a container, each with a property of its own: `certificate_ref` */
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
