/**
 * Access keys, the blobs of credentials of type `ec2`. The credential's ID is the SHA-256 of the access
 * key with which it was created, in hexadecimal: the key finds it, and nobody else can have the same.
 * Public source: Keystone API reference, "Create credential".
 */
import { createHash } from 'node:crypto';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Binding, CredentialId, OpenCredential } from './credential.resource.js';

export const EC2 = 'ec2';

export interface Ec2Blob {
  readonly access: string;
  readonly secret: string | null;
  readonly trustId: string | null;
}

/** Properties that name the delegation of the key; they never change. */
const DELEGATIONS = ['trust_id', 'app_cred_id', 'access_token_id', 'access_id'] as const;

/** Headers and URLs contain it. */
const ACCESS = /^[\x21-\x7e]{1,255}$/;

type Properties = Readonly<Record<string, unknown>>;

/** Keystone ignores the case of the type when it makes the ID, and shows the type as given. */
export function isEc2(type: string): boolean {
  return type.toLowerCase() === EC2;
}

export function accessKeyId(access: string): CredentialId {
  return createHash('sha256').update(access, 'utf8').digest('hex') as CredentialId;
}

/** @throws InvalidInputError for a blob that is not a JSON object with an access key */
export function readEc2Blob(blob: string): Ec2Blob {
  const properties = propertiesOf(blob);
  const { access } = properties;
  if (typeof access !== 'string' || !ACCESS.test(access))
    throw new InvalidInputError(
      'Invalid input: credential.blob of the type ec2 must hold an `access` of 1 to 255 visible ASCII characters.',
    );
  return {
    access,
    secret: textOf(properties, 'secret'),
    trustId: textOf(properties, 'trust_id'),
  };
}

/**
 * The secret that signs requests. Undefined where the blob names another delegation than the one that
 * created the key: such a key must not act with all roles of its user.
 */
export function signingSecret({
  type,
  blob,
  ...binding
}: Binding & Pick<OpenCredential, 'type' | 'blob'>): string | undefined {
  if (type !== EC2) return undefined;
  const properties = propertiesOf(blob);
  const known: Properties = namedBy(binding);
  const isAsBound = DELEGATIONS.every((name) => sameValue(properties, known, name));
  return isAsBound ? (textOf(properties, 'secret') ?? undefined) : undefined;
}

export function newEc2Blob(access: string, secret: string): string {
  return JSON.stringify({ access, secret, trust_id: null });
}

/** Names the delegation that creates the key in its blob, as Keystone does. */
export function boundBlob(blob: string, binding: Binding): string {
  const named = Object.entries(namedBy(binding)).filter(([, id]) => id !== null);
  if (named.length === 0) return blob;
  return JSON.stringify({ ...propertiesOf(blob), ...Object.fromEntries(named) });
}

function namedBy({ trustId, applicationCredentialId }: Binding) {
  return { trust_id: trustId, app_cred_id: applicationCredentialId };
}

/** @throws InvalidInputError naming what would make the key act within another delegation */
export function refuseOtherDelegation(before: string, after: string): void {
  const [old, changed] = [propertiesOf(before), propertiesOf(after)];
  const moved = DELEGATIONS.find((name) => !sameValue(old, changed, name));
  if (moved !== undefined)
    throw new InvalidInputError(`Invalid input: ${moved} cannot be changed for a credential.`);
}

function propertiesOf(blob: string): Properties {
  const value = parsed(blob);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Properties;
  throw new InvalidInputError(
    'Invalid input: credential.blob of the type ec2 must be a JSON object.',
  );
}

/** A parse error's own message would show a piece of the secret. */
function parsed(blob: string): unknown {
  try {
    return JSON.parse(blob) as unknown;
  } catch {
    return undefined;
  }
}

/** Null is the same as absent. */
function sameValue(one: Properties, other: Properties, name: string): boolean {
  return (one[name] ?? null) === (other[name] ?? null);
}

function textOf(properties: Properties, name: string): string | null {
  const value = properties[name];
  return typeof value === 'string' ? value : null;
}
