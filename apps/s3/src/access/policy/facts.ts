/**
 * The condition keys of a request. Pure. Public sources: Service Authorization
 * Reference, "Condition keys for Amazon S3"; IAM user guide, "AWS global condition context keys".
 */
import type { Caller } from '../../auth/caller.js';
import type { Bucket } from '../../buckets/bucket.entity.js';
import type { Tags } from '../../buckets/tags.js';
import { queryOf, type S3Request } from '../../http/s3-request.js';
import type { StoredObject } from '../../objects/object.entity.js';
import { GRANTS } from '../../operations/operation-row.js';
import { arnOf } from './policy.js';

export interface Resource {
  readonly bucket: Bucket;
  readonly key: string | undefined;
  /** The existing version, for actions on one. */
  readonly object: StoredObject | undefined;
  /** Policies have conditions on it. */
  readonly request: S3Request;
  /** Tags of the body; by default those of the headers. */
  readonly requestTags?: Tags;
}

export interface Asked extends Resource {
  readonly caller: Caller;
  readonly now: Date;
}

/** @returns the values that a request has for a key; undefined for none */
export type Facts = (key: string) => readonly string[] | undefined;

type Value = string | number | boolean | undefined;

/** Headers that are condition keys by their own name: `s3:x-amz-acl`. */
const HEADERS = [
  ...GRANTS,
  'x-amz-content-sha256',
  'x-amz-metadata-directive',
  'x-amz-object-ownership',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-server-side-encryption-customer-algorithm',
  'x-amz-storage-class',
  'x-amz-website-redirect-location',
  'if-match',
  'if-none-match',
] as const;

/** Parameters of the query that are condition keys: `s3:prefix`. */
const PARAMETERS = ['prefix', 'delimiter', 'max-keys'] as const;

const DAY = 86_400_000;

const header =
  (name: string) =>
  ({ request }: Asked): Value =>
    request.headers[name]?.toString();

const signed =
  (value: (caller: Extract<Caller, { kind: 'signed' }>) => Value) =>
  ({ caller }: Asked): Value =>
    caller.kind === 'signed' ? value(caller) : undefined;

/** By key, in lower case. */
const FACTS: Readonly<Record<string, (asked: Asked) => Value>> = {
  'aws:currenttime': ({ now }) => now.toISOString(),
  'aws:epochtime': ({ now }) => Math.floor(now.getTime() / 1000),
  'aws:principalaccount': signed(({ projectId }) => projectId),
  'aws:principalarn': signed(arnOf),
  'aws:principalisawsservice': () => false,
  'aws:principaltype': ({ caller }) => (caller.kind === 'signed' ? 'User' : 'Anonymous'),
  'aws:referer': header('referer'),
  'aws:requestedregion': ({ bucket }) => bucket.region,
  'aws:resourceaccount': ({ bucket }) => bucket.projectId,
  'aws:securetransport': ({ request }) => request.isEncrypted,
  'aws:sourceip': ({ request }) => request.clientAddress.replace(/^::ffff:(?=\d+\.)/i, ''),
  'aws:useragent': header('user-agent'),
  'aws:userid': ({ caller }) => (caller.kind === 'signed' ? caller.userId : 'anonymous'),
  // User names are not known here.
  'aws:username': signed(({ userId }) => userId),
  's3:authtype': signed(({ authType }) => authType),
  's3:object-lock-legal-hold': header('x-amz-object-lock-legal-hold'),
  's3:object-lock-mode': header('x-amz-object-lock-mode'),
  's3:object-lock-remaining-retention-days': remainingDays,
  's3:object-lock-retain-until-date': header('x-amz-object-lock-retain-until-date'),
  's3:resourceaccount': ({ bucket }) => bucket.projectId,
  's3:signatureage': signed(({ signatureAge }) => signatureAge),
  's3:signatureversion': signed(({ signatureVersion }) => signatureVersion),
  's3:versionid': ({ request }) => request.query.get('versionId'),
  's3:x-amz-copy-source': copySource,
  ...Object.fromEntries(HEADERS.map((name) => [`s3:${name}`, header(name)])),
  ...Object.fromEntries(
    PARAMETERS.map((name) => [`s3:${name}`, ({ request }: Asked) => request.query.get(name)]),
  ),
};

/** Keys that a policy may name although no request here ever has a value for them. */
const ABSENT = new Set(
  [
    'CalledVia',
    'PrincipalOrgID',
    'PrincipalOrgPaths',
    'SourceAccount',
    'SourceArn',
    'SourceOrgID',
    'SourceVpc',
    'SourceVpce',
    'TokenIssueTime',
    'MultiFactorAuthPresent',
    'MultiFactorAuthAge',
    'VpcSourceIp',
    'PrincipalServiceName',
    'ViaAWSService',
    'FederatedProvider',
    'PrincipalIsOrgMember',
    'SourceIdentity',
    'ResourceOrgID',
  ]
    .map((name) => `aws:${name.toLowerCase()}`)
    .concat('s3:tlsversion', 's3:dataaccesspointarn', 's3:dataaccesspointaccount')
    .concat(
      's3:accesspointnetworkorigin',
      's3:locationconstraint',
      's3:inventoryaccessibleoptionalfields',
    ),
);

const EXISTING_TAG = 's3:existingobjecttag/';
const REQUEST_TAG = 's3:requestobjecttag/';
const REQUEST_TAG_KEYS = 's3:requestobjecttagkeys';

const PRINCIPAL_TAG = 'aws:principaltag/';

/** A key as it is looked up: in lower case, but for the name of a tag. */
export function canonicalKey(key: string): string {
  const at = key.indexOf('/');
  return at < 0 ? key.toLowerCase() : key.slice(0, at).toLowerCase() + key.slice(at);
}

/** @param key as `canonicalKey` gives it */
export function isKnownKey(key: string): boolean {
  return (
    Object.hasOwn(FACTS, key) ||
    ABSENT.has(key) ||
    key === REQUEST_TAG_KEYS ||
    [EXISTING_TAG, REQUEST_TAG, PRINCIPAL_TAG].some(
      (prefix) => key.startsWith(prefix) && key.length > prefix.length,
    )
  );
}

/** Whether a key is about the tags of the request. */
export function isOfRequestTags(key: string): boolean {
  return key === REQUEST_TAG_KEYS || key.startsWith(REQUEST_TAG);
}

export function factsOf(asked: Asked): Facts {
  return (key) => {
    if (key.startsWith(EXISTING_TAG))
      return listOf(ownValue(asked.object?.tags, key.slice(EXISTING_TAG.length)));
    if (key.startsWith(REQUEST_TAG))
      return listOf(requestTagsOf(asked).get(key.slice(REQUEST_TAG.length)));
    if (key === REQUEST_TAG_KEYS) {
      const keys = [...requestTagsOf(asked).keys()];
      return keys.length === 0 ? undefined : keys;
    }
    return listOf(Object.hasOwn(FACTS, key) ? FACTS[key]?.(asked) : undefined);
  };
}

function listOf(value: Value): readonly string[] | undefined {
  return value === undefined ? undefined : [String(value)];
}

function ownValue(
  tags: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  return tags && Object.hasOwn(tags, key) ? tags[key] : undefined;
}

/** Malformed tags are refused later, by the operation that stores them. */
function requestTagsOf({ request, requestTags }: Asked): ReadonlyMap<string, string> {
  if (requestTags) return new Map(Object.entries(requestTags));
  const text = request.headers['x-amz-tagging'];
  if (typeof text !== 'string') return new Map();
  try {
    return queryOf(text);
  } catch {
    return new Map();
  }
}

/** `bucket/key`, without a version. */
function copySource({ request }: Asked): Value {
  const text = request.headers['x-amz-copy-source'];
  if (typeof text !== 'string') return undefined;
  const path = text.replace(/\?versionId=[^?]*$/, '').replace(/^\//, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function remainingDays({ request, now }: Asked): Value {
  const until = request.headers['x-amz-object-lock-retain-until-date'];
  if (typeof until !== 'string') return undefined;
  const days = (Date.parse(until) - now.getTime()) / DAY;
  return Number.isFinite(days) ? Math.ceil(days) : undefined;
}
