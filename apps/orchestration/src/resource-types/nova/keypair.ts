/** A key pair of the user whose stack it is. Public source: Nova API reference, "Keypairs". */
import type { JsonObject } from '../../template/json.js';
import { attribute, flag, lengths, named, oneOf, text } from '../declare.js';
import { asObject, flagIn, given, textIn, withoutGaps } from '../property-values.js';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { idIn, part } from '../service-calls.js';
import { computeCalls } from './nova-calls.js';

const COLLECTION = '/v2.1/os-keypairs';

export const keypair: ResourceType = {
  name: 'OS::Nova::KeyPair',
  description: 'A key pair by which its user logs in to servers.',
  support: { status: 'SUPPORTED', version: '2014.1' },
  properties: {
    name: text('The name of the key pair.', { required: true, constraints: [lengths(1, 255)] }),
    save_private_key: flag('Whether a private key that is made is kept.', { default: false }),
    public_key: text('The public key; without one, a pair is made.'),
    type: text('What it is.', { since: '8.0.0', constraints: [oneOf('ssh', 'x509')] }),
    user: named('keystone.user', 'The user whose it is; for administrators.', { since: '9.0.0' }),
  },
  attributes: {
    public_key: attribute('string', 'The public key.'),
    private_key: attribute('string', 'The private key, if it was made and kept.'),
  },

  async create(scope) {
    const { properties } = scope;
    const keypair = withoutGaps({
      ...given(properties, 'name', 'public_key', 'type'),
      user_id: textIn(properties, 'user'),
    });
    const answer = await computeCalls(scope).create(COLLECTION, { keypair });
    const made = asObject(answer['keypair']) ?? {};
    const secret = textIn(made, 'private_key');
    const isKept = flagIn(properties, 'save_private_key') === true && secret !== undefined;
    return { physicalId: idIn(made, 'name'), ...(isKept ? { data: { private_key: secret } } : {}) };
  },

  remove: (scope) => computeCalls(scope).remove(pathOf(scope), ownerOf(scope)),
  read: find,

  async attributesOf(scope) {
    const found = await find(scope);
    const secret = textIn(scope.row.data, 'private_key') ?? '';
    return { public_key: textIn(found ?? {}, 'public_key') ?? '', private_key: secret };
  },

  /** Its name is its id, which its replacement may have too. */
  makeWay: (scope) => computeCalls(scope).remove(pathOf(scope), ownerOf(scope)),
};

function pathOf({ row }: ExistingScope): string {
  return `${COLLECTION}/${part(row.physicalId)}`;
}

function ownerOf({ properties }: ResourceScope): { readonly user_id?: string } {
  const user = textIn(properties, 'user');
  return user === undefined ? {} : { user_id: user };
}

async function find(scope: ExistingScope): Promise<JsonObject | undefined> {
  const answer = await computeCalls(scope).find(pathOf(scope), ownerOf(scope));
  return asObject(answer?.['keypair']);
}
