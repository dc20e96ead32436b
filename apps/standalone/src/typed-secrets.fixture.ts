/** Of the types of the secrets service. */
import { ref, type Resources } from './typed-stacks.fixture.js';

export const SECRETS: Resources = {
  secret: {
    type: 'OS::Barbican::Secret',
    properties: { name: 'typed', payload: 'hush', secret_type: 'passphrase' },
  },
  key_bytes: {
    type: 'OS::Barbican::Secret',
    properties: {
      payload: 'AAECAw==',
      payload_content_type: 'application/octet-stream',
      payload_content_encoding: 'base64',
    },
  },
  bundle: {
    type: 'OS::Barbican::GenericContainer',
    properties: { name: 'typed', secrets: [{ name: 'one', ref: ref('secret') }] },
  },
  certificate: {
    type: 'OS::Barbican::CertificateContainer',
    properties: { certificate_ref: ref('secret'), private_key_ref: ref('key_bytes') },
  },
  pair: {
    type: 'OS::Barbican::RSAContainer',
    properties: { public_key_ref: ref('secret'), private_key_ref: ref('key_bytes') },
  },
};
