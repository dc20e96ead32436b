/** ACLs as documents. Public source: Amazon S3 API reference, GetBucketAcl and PutBucketAcl. */
import { GRANTABLE, type Acl, type Grant, type Grantee } from '../buckets/acl.js';
import { invalidArgument, S3Error } from '../http/s3-error.js';
import { readXml, type XmlElement, type XmlTree } from '../http/xml.js';
import type { BucketCall } from '../operations/operation.js';
import { documentOf } from '../operations/read-document.js';
import {
  aclOf,
  asksForAcl,
  groupOf,
  MAX_GRANTS,
  unresolvable,
  notSupported,
  isOwnerEnforced,
} from './acl-request.js';

export const ACL_ROOT = 'AccessControlPolicy';
const SCHEMA = 'http://www.w3.org/2001/XMLSchema-instance';

/** Groups come first: some clients take the first grant of a public bucket for that of the public. */
export function aclTree({ owner, grants }: Acl): XmlTree {
  const sorted = [...grants].sort((a, b) => rankOf(a) - rankOf(b));
  return {
    Owner: ownerTree(owner),
    AccessControlList: {
      Grant: sorted.map(({ grantee, permission }) => ({
        Grantee: granteeTree(grantee),
        Permission: permission,
      })),
    },
  };
}

/** The display name of a project is its ID. */
export function ownerTree(projectId: string): XmlTree {
  return { ID: projectId, DisplayName: projectId };
}

/**
 * @param document the element AccessControlPolicy
 * @param owner the project that owns what the ACL is for
 * @throws S3Error MalformedACLError; AccessDenied if it names another owner; InvalidArgument,
 * UnresolvableGrantByEmailAddress
 */
function aclOfDocument(document: XmlElement, owner: string): Acl {
  const named = only(only(document, 'Owner'), 'ID').text.trim();
  if (named !== owner)
    throw new S3Error('AccessDenied', {
      message: `Access Denied: the owner is ${owner}, and an ACL does not make it ${named}.`,
    });
  const grants = only(document, 'AccessControlList').children('Grant');
  if (grants.length > MAX_GRANTS)
    throw malformed(`An ACL has at most ${MAX_GRANTS} grants, not ${grants.length}.`);
  return { owner, grants: grants.map(grantOf) };
}

function grantOf(element: XmlElement): Grant {
  const permission = only(element, 'Permission').text.trim();
  const known = GRANTABLE.find((one) => one === permission);
  if (known === undefined) throw malformed(`There is no permission ${permission}.`);
  return { grantee: granteeOf(only(element, 'Grantee')), permission: known };
}

/** @throws S3Error MalformedACLError, InvalidArgument, UnresolvableGrantByEmailAddress */
export function granteeOf(element: XmlElement): Grantee {
  switch (element.attribute('type') ?? typeIn(element)) {
    case 'CanonicalUser':
      return { kind: 'project', id: only(element, 'ID').text.trim() };
    case 'Group':
      return groupOf(only(element, 'URI').text.trim(), 'Group/URI');
    case 'AmazonCustomerByEmail':
      throw unresolvable(only(element, 'EmailAddress').text.trim());
    default:
      throw invalidArgument(
        'Grantee',
        element.attribute('type') ?? '',
        'The type of a grantee is unknown.',
      );
  }
}

/** Some clients omit the type. */
function typeIn(element: XmlElement): string | undefined {
  if (element.child('ID')) return 'CanonicalUser';
  if (element.child('URI')) return 'Group';
  return element.child('EmailAddress') ? 'AmazonCustomerByEmail' : undefined;
}

function only(element: XmlElement, name: string): XmlElement {
  const [found, ...more] = element.children(name);
  if (found && more.length === 0) return found;
  throw malformed(`${element.name} must have one ${name}.`);
}

function malformed(message: string): S3Error {
  return new S3Error('MalformedACLError', { message });
}

function rankOf({ grantee }: Grant): number {
  return grantee.kind === 'group' ? 0 : 1;
}

export function granteeTree(grantee: Grantee): XmlTree {
  const [type, tree]: [string, { readonly [name: string]: XmlTree }] =
    grantee.kind === 'group'
      ? ['Group', { URI: grantee.uri }]
      : ['CanonicalUser', { ID: grantee.id, DisplayName: grantee.id }];
  return { '@xmlns:xsi': SCHEMA, '@xsi:type': type, ...tree };
}

/**
 * The ACL that a request to change one brings: in its headers or in its body, not in both. Public
 * source: Amazon S3 API reference, PutBucketAcl and PutObjectAcl.
 * @param owner the project that owns what the ACL is for
 * @throws S3Error AccessControlListNotSupported, UnexpectedContent, MissingSecurityHeader,
 * MalformedACLError, and what `aclOf` and `aclOfDocument` throw
 */
export async function receivedAcl(call: BucketCall, owner: string): Promise<Acl | null> {
  const { bucket, request } = call;
  if (isOwnerEnforced(bucket)) throw notSupported();
  const document = await documentOf(call);
  if (asksForAcl(request.headers)) {
    if (document.length > 0)
      throw new S3Error('UnexpectedContent', {
        message: 'An ACL comes in headers or in the body, not in both.',
      });
    return aclOf(request.headers, owner, bucket.projectId);
  }
  if (document.length === 0)
    throw new S3Error('MissingSecurityHeader', {
      message: 'The request has no ACL: neither x-amz-acl, nor grant headers, nor a body.',
      details: { MissingHeaderName: 'x-amz-acl' },
    });
  return aclOfDocument(parsed(document), owner);
}

/** @throws S3Error MalformedACLError */
function parsed(document: Buffer): ReturnType<typeof readXml> {
  try {
    return readXml(new TextDecoder('utf-8', { fatal: true }).decode(document), ACL_ROOT);
  } catch (cause) {
    throw new S3Error('MalformedACLError', { cause });
  }
}
