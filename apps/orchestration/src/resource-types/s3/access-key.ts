/**
 * The key that signs requests to S3 for the owner of a stack. Public source: Identity API reference,
 * "OS-EC2".
 *
 * Always holds: no key is made. A trust gives roles, not credentials that would outlive it: a key that
 * the owner has for the project is read, and a stack with buckets needs one.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { asObject, asObjects, asText } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { part, ServiceCalls } from '../service-calls.js';

export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export class NoAccessKeyError extends DomainError {
  constructor(projectId: string) {
    super(
      'unprocessable',
      `Buckets need an access key of the stack's owner for the project ${projectId}: openstack ec2 credentials create makes one.`,
    );
  }
}

/** @throws NoAccessKeyError */
export async function signingKeyOf(scope: ResourceScope): Promise<SigningKey> {
  const calls = new ServiceCalls(scope, 'identity');
  const owner = part(await ownerOf(scope, calls));
  const { credentials } = await calls.get(`/v3/users/${owner}/credentials/OS-EC2`);
  const { projectId } = scope.stack;
  const key = asObjects(credentials).find(
    ({ tenant_id: of, trust_id: trust = null }) => of === projectId && trust === null,
  );
  if (!key) throw new NoAccessKeyError(projectId);
  return { accessKeyId: asText(key['access']), secretAccessKey: asText(key['secret']) };
}

async function ownerOf({ actor, ctx }: ResourceScope, calls: ServiceCalls): Promise<string> {
  if (actor.as !== 'trustor') return ctx.userId;
  const { trust } = await calls.get(`/v3/OS-TRUST/trusts/${part(actor.trustId)}`);
  return asText(asObject(trust)?.['trustor_user_id']);
}
