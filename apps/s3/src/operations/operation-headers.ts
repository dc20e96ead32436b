/**
 * The headers that operations take, in groups, and the rule for all others: a header of S3 that a
 * write does not take is refused by name, since to ignore it could change what is written, and for
 * whom. A read ignores it, which changes nothing. Pure.
 * Public source: Amazon S3 API reference, "Actions"; "Common Request Headers".
 */
import { OF_SIGNATURE } from '../http/s3-request.js';

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

/** How an upload is encrypted, as a request about it may repeat. */
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

/** Conditions on what a write replaces. */
export const REPLACING = ['if-match', 'if-none-match'];

/** Conditions on what is deleted. */
export const DELETING = ['if-match', 'x-amz-if-match-last-modified-time', 'x-amz-if-match-size'];

/** Properties that an object is stored with. */
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

/** What is copied, and under which conditions. */
export const COPIED = [
  COPY_SOURCE,
  ...['if-match', 'if-modified-since', 'if-none-match', 'if-unmodified-since'].map(
    (condition) => `${COPY_SOURCE}-${condition}`,
  ),
  ...CUSTOMER_KEY.map((name) => name.replace('x-amz', COPY_SOURCE)),
  'x-amz-source-expected-bucket-owner',
];

/** What a read shows, and under which conditions. */
export const READ = [
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'range',
  'x-amz-checksum-mode',
  ...CUSTOMER_KEY,
];

/** Every operation takes them: they are about the signature, the caller and the body. */
export const COMMON: ReadonlySet<string> = new Set([
  'content-md5',
  'x-amz-expected-bucket-owner',
  'x-amz-request-payer',
  ...OF_SIGNATURE,
  ...CHECKSUM_VALUES,
]);

/** Headers that may be ignored, each with the reason. */
export const HARMLESS: Readonly<Record<string, string>> = {
  'x-amz-api-version': 'It names the version of the API, of which there is one.',
  'x-amz-bucket-object-lock-token': 'It permits what a bucket’s owner may do here without a token.',
  'x-amz-cf-id': 'A content network adds it to find requests in its logs.',
  'x-amz-confirm-remove-self-bucket-access':
    'It confirms a policy that shuts out its author; the owning project can still replace it.',
  'x-amz-mfa': 'It is a second factor for buckets that ask for one; no bucket can be set to.',
  'x-amz-object-annotation-directive': 'No object has annotations that could be copied.',
  'x-amz-skip-destination-validation':
    'A destination is not tried when a configuration names it, with or without the header.',
  'x-amz-te': 'It asks for a form of the answer that a server need not choose.',
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
