/** What the table of operations consists of. */
import type { Permission } from '../buckets/acl.js';

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';

export interface OperationDeclaration<Name extends string = string> {
  readonly name: Name;
  readonly method: Method;
  readonly on: 'service' | 'bucket' | 'object';
  /** What a policy has to allow: `s3:GetObject`. */
  readonly action: string;
  /** Query parameters that it is asked for with: `acl`; `list-type=2`; all of `uploadId&partNumber`. */
  readonly query: string;
  /** A header that it is asked for with. */
  readonly header?: string;
  /** Query parameters that it takes besides. */
  readonly parameters?: readonly string[];
  /** Headers that it carries out, besides those of every operation (`operation-headers.ts`). */
  readonly headers?: readonly string[];
  /** What an ACL may grant instead of a policy: that of the object where `of` says so. */
  readonly acl?: Permission;
  /** Whether it is about an object that is there already: it is looked up with its bucket, and its
   * bytes if they are in its row. */
  readonly of?: 'object' | 'bytes';
  /** Whether it may take long, and its clients know that a 200 may have an error for its document. */
  readonly takesLong?: boolean;
}

type More = Pick<
  OperationDeclaration,
  'header' | 'parameters' | 'headers' | 'acl' | 'of' | 'takesLong'
>;

/** @returns what makes rows of operations on this */
export function rowsOn(on: OperationDeclaration['on']) {
  return <const Name extends string>(
    method: Method,
    query: string,
    name: Name,
    action: string,
    more: More = {},
  ): OperationDeclaration<Name> => ({ name, method, on, action: `s3:${action}`, query, ...more });
}

/** Reads ignore parameters and headers that they do not know; writes refuse them. */
export function isRead({ method }: Pick<OperationDeclaration, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether the role of a reader is not enough for it. */
export function isWrite({ method, name }: OperationDeclaration): boolean {
  return !isRead({ method }) && name !== 'SelectObjectContent' && name !== 'WriteGetObjectResponse';
}
