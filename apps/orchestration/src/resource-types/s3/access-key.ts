/**
 * The key that signs requests to S3 for the owner of a stack. Public source: Identity API reference,
 * "OS-EC2".
 *
 * Always holds: it is a key of the stack's trust, so it can do no more than the trust lets a stack do, and
 * ends with it: an action on the stack has a trust of its own, and with it another key, while what is
 * under way goes on by the former. Identity alone keeps it. It is made when it is first needed, and
 * whoever needs it at the same time, or again, gets the same.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { asObject, asObjects, asText } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { part, ServiceCalls } from '../service-calls.js';

export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export class NoTrustError extends DomainError {
  constructor() {
    super(
      'unprocessable',
      'Buckets are worked on with a key of the trust that the owner of a stack gave, and this stack has none.',
    );
  }
}

/** @throws NoTrustError */
export async function signingKeyOf(scope: ResourceScope): Promise<SigningKey> {
  const { actor, stack, services, signal } = scope;
  if (actor.as !== 'trustor') throw new NoTrustError();
  const { trustId } = actor;
  const calls = new ServiceCalls(scope, 'identity');
  const { trust } = await calls.get(`/v3/OS-TRUST/trusts/${part(trustId)}`);
  const owner = part(asText(asObject(trust)?.['trustor_user_id']));
  const path = `/v3/users/${owner}/credentials/OS-EC2`;
  const { credentials } = await calls.get(path);
  const known = asObjects(credentials).find(({ trust_id: of }) => of === trustId);
  if (known) return signingKey(known);
  const json = { tenant_id: stack.projectId };
  // Of the trust, not of the resource: others may need it at the same time.
  const idempotencyKey = `access-key-of-${trustId}`;
  const made = await services.identity.create({ actor, signal, path, json, idempotencyKey });
  return signingKey(asObject(asObject(made.body)?.['credential']));
}

function signingKey(shown: ReturnType<typeof asObject>): SigningKey {
  return { accessKeyId: asText(shown?.['access']), secretAccessKey: asText(shown?.['secret']) };
}
