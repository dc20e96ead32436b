/**
 * A row of the table of operations, and groups of headers. A write refuses unsupported headers of S3
 * by name, because ignoring them could change the data or its audience; a read ignores them. Pure.
 * Public source: Amazon S3 API reference, "Actions"; "Common Request Headers".
 */
import type { Permission } from '../buckets/acl.js';
import { OF_SIGNATURE } from '../http/s3-request.js';

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';

export interface OperationDeclaration<Name extends string = string> {
  readonly name: Name;
  readonly method: Method;
  readonly on: 'service' | 'bucket' | 'object';
  /** The action that a policy has to allow: `s3:GetObject`. */
  readonly action: string;
  /** Query parameters that select it: `acl`; `list-type=2`; all of `uploadId&partNumber`. */
  readonly query: string;
  /** A header that selects it. */
  readonly header?: string;
  /** Further query parameters. */
  readonly parameters?: readonly string[];
  /** Headers that it takes, besides those of every operation (`COMMON`). */
  readonly headers?: readonly string[];
  /** The permission that an ACL may grant instead; of the object where `of` is set. */
  readonly acl?: Permission;
  /** Whether it is about an object that is there already: it is looked up with its bucket, and its
   * bytes if they are in its row. */
  readonly of?: 'object' | 'bytes';
  /** Whether it may take long, so that its clients expect an error in the body of a 200. */
  readonly takesLong?: boolean;
}

type More = Pick<
  OperationDeclaration,
  'header' | 'parameters' | 'headers' | 'acl' | 'of' | 'takesLong'
>;

/**
 * @returns a function for rows of operations on this; by default the action has the operation's name
 */
export function rowsOn(on: OperationDeclaration['on']) {
  return <const Name extends string>(
    method: Method,
    query: string,
    name: Name,
    ...rest: [action: string, more?: More] | [more?: More]
  ): OperationDeclaration<Name> => {
    const [action, more] = typeof rest[0] === 'string' ? [rest[0], rest[1]] : [name, rest[0]];
    return { name, method, on, action: `s3:${action}`, query, ...more };
  };
}

/** Reads ignore parameters and headers that they do not know; writes refuse them. */
export function isRead({ method }: Pick<OperationDeclaration, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function isWrite({ method, name }: OperationDeclaration): boolean {
  return !isRead({ method }) && name !== 'SelectObjectContent' && name !== 'WriteGetObjectResponse';
}

const ENCRYPTION = 'x-amz-server-side-encryption';
const COPY_SOURCE = 'x-amz-copy-source';
const LOCK = 'x-amz-object-lock';

const CHECKSUM_VALUES = [
  'crc32',
  'crc32c',
  'crc64nvme',
  'md5',
  'sha1',
  'sha256',
  'sha512',
  'xxhash3',
  'xxhash64',
  'xxhash128',
].map((algorithm) => `x-amz-checksum-${algorithm}`);

/** A key that the client provides. */
export const CUSTOMER_KEY = ['algorithm', 'key', 'key-md5'].map(
  (part) => `${ENCRYPTION}-customer-${part}`,
);

/** The encryption of an upload, which requests about it may repeat. */
export const REPEATED_ENCRYPTION = [ENCRYPTION, `${ENCRYPTION}-aws-kms-key-id`];

/** How bytes are encrypted at rest; `…-context` is refused by name where it is read. */
export const ENCRYPTED = [
  ...REPEATED_ENCRYPTION,
  `${ENCRYPTION}-bucket-key-enabled`,
  `${ENCRYPTION}-context`,
  ...CUSTOMER_KEY,
];

export const GRANTS = [
  'x-amz-acl',
  'x-amz-grant-full-control',
  'x-amz-grant-read',
  'x-amz-grant-read-acp',
  'x-amz-grant-write',
  'x-amz-grant-write-acp',
];

export const REPLACING = ['if-match', 'if-none-match'];

export const DELETING = ['if-match', 'x-amz-if-match-last-modified-time', 'x-amz-if-match-size'];

export const STORED = [
  ...GRANTS,
  ...ENCRYPTED,
  'x-amz-checksum-algorithm',
  'x-amz-checksum-type',
  `${LOCK}-legal-hold`,
  `${LOCK}-mode`,
  `${LOCK}-retain-until-date`,
  'x-amz-storage-class',
  'x-amz-tagging',
  'x-amz-website-redirect-location',
];

/** The source of a copy, and its conditions. */
export const COPIED = [
  COPY_SOURCE,
  ...['if-match', 'if-modified-since', 'if-none-match', 'if-unmodified-since'].map(
    (condition) => `${COPY_SOURCE}-${condition}`,
  ),
  ...CUSTOMER_KEY.map((name) => name.replace('x-amz', COPY_SOURCE)),
  'x-amz-source-expected-bucket-owner',
];

export const READ = [
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'range',
  'x-amz-checksum-mode',
  ...CUSTOMER_KEY,
];

/** Taken by every operation: about the signature, the caller and the body. */
export const COMMON: ReadonlySet<string> = new Set([
  'content-md5',
  'x-amz-expected-bucket-owner',
  'x-amz-request-payer',
  ...OF_SIGNATURE,
  ...CHECKSUM_VALUES,
]);

/** Headers that may be ignored, each with the reason. */
export const HARMLESS: Readonly<Record<string, string>> = {
  'x-amz-api-version': 'It names the version of the API; there is only one.',
  'x-amz-bucket-object-lock-token': 'It permits what a bucket’s owner may do here without a token.',
  'x-amz-cf-id': 'A content delivery network adds it to find requests in its logs.',
  'x-amz-confirm-remove-self-bucket-access':
    'It confirms a policy that shuts out its author; the owning project can still replace it.',
  'x-amz-mfa': 'It carries a second factor for buckets with MFA delete, which is not offered.',
  'x-amz-object-annotation-directive': 'No object has annotations that could be copied.',
  'x-amz-skip-destination-validation':
    'A destination is not tried when a configuration names it, with or without the header.',
  'x-amz-te': 'It asks for a transfer encoding that the server need not choose.',
  'x-amz-transition-default-minimum-object-size':
    'It is about transitions between storage classes, which rules cannot have.',
  'x-amz-user-agent': 'It names the client.',
};

/** Headers without S3's prefix that change what a write means. */
const GUARDS: ReadonlySet<string> = new Set([
  'content-range',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
]);

/**
 * @param name in lower case
 * @param taken by the operation
 * @returns whether a write refuses the header. Metadata is kept by what stores an object, and
 * means nothing to other operations, as with Amazon.
 */
export function isRefusedHeader(name: string, taken: ReadonlySet<string>): boolean {
  if (!name.startsWith('x-amz-')) return GUARDS.has(name) && !taken.has(name);
  return !(
    taken.has(name) ||
    COMMON.has(name) ||
    name.startsWith('x-amz-meta-') ||
    Object.hasOwn(HARMLESS, name)
  );
}
