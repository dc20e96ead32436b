/**
 * A key pair of the user who created the stack. Public source: Nova API reference, "Keypairs".
 *
 * Always holds: it is found and deleted whoever acts on the stack: users do not see each other's key
 * pairs, so the service asks for that user's.
 */
import { asService } from '@cumulet/clients/http/actor';
import type { JsonObject } from '../../json/json.js';
import { attribute, flag, lengths, named, oneOf, text } from '../declare.js';
import { asObject, flagIn, given, textIn, withoutGaps } from '../property-values.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { idIn, part, type ServiceCalls } from '../service-calls.js';
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
    type: text('The description.', { since: '8.0.0', constraints: [oneOf('ssh', 'x509')] }),
    user: named('keystone.user', 'The user who owns it; for administrators.', { since: '9.0.0' }),
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
    const data = withoutGaps({
      user_id: textIn(made, 'user_id'),
      private_key: isKept ? secret : undefined,
    });
    return { physicalId: idIn(made, 'name'), data };
  },

  remove,
  read: find,

  async attributesOf(scope) {
    const found = await find(scope);
    const secret = textIn(scope.row.data, 'private_key') ?? '';
    return { public_key: textIn(found ?? {}, 'public_key') ?? '', private_key: secret };
  },

  /** The replacement may need the same name, which is its ID. */
  prepareForReplacement: remove,
};

function pathOf({ row }: ExistingScope): string {
  return `${COLLECTION}/${part(row.physicalId)}`;
}

interface Owned {
  readonly calls: ServiceCalls;
  readonly query?: { readonly user_id: string };
}

/** An adopted key pair is assumed to be the caller's. */
function ofOwner(scope: ExistingScope): Owned {
  const owner = textIn(scope.row.data, 'user_id');
  if (owner === undefined) return { calls: computeCalls(scope) };
  const calls = computeCalls({ ...scope, actor: asService(scope.ctx) });
  return { calls, query: { user_id: owner } };
}

async function remove(scope: ExistingScope): Promise<void> {
  const { calls, query } = ofOwner(scope);
  await calls.remove(pathOf(scope), query);
}

async function find(scope: ExistingScope): Promise<JsonObject | undefined> {
  const { calls, query } = ofOwner(scope);
  const answer = await calls.find(pathOf(scope), query);
  return asObject(answer?.['keypair']);
}
