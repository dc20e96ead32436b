/**
 * What else storing an object needs, because its headers ask for more than bytes. Pure. Public
 * source: Amazon S3 API reference, PutObject, "Permissions".
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../auth/caller.js';
import { asksForAcl } from './acl-request.js';
import { isAllowed, isDenied } from './decision.js';
import type { Resource } from './question.js';

interface Further {
  readonly action: string;
  readonly isAskedFor: (headers: IncomingHttpHeaders) => boolean;
  /** Whether it must be allowed; else it is enough that no policy denies it. */
  readonly isNeeded: boolean;
}

const has =
  (...names: string[]) =>
  (headers: IncomingHttpHeaders): boolean =>
    names.some((name) => headers[name] !== undefined);

const FURTHER: readonly Further[] = [
  // Whoever writes an object owns it, and may change these afterwards anyway.
  { action: 's3:PutObjectAcl', isAskedFor: asksForAcl, isNeeded: false },
  { action: 's3:PutObjectTagging', isAskedFor: has('x-amz-tagging'), isNeeded: false },
  {
    action: 's3:PutObjectRetention',
    isAskedFor: has('x-amz-object-lock-mode', 'x-amz-object-lock-retain-until-date'),
    isNeeded: true,
  },
  {
    action: 's3:PutObjectLegalHold',
    isAskedFor: has('x-amz-object-lock-legal-hold'),
    isNeeded: true,
  },
];

/** @returns an action that the headers ask for, and that the caller may not do */
export function refusedActionOf(caller: Caller, resource: Resource): string | undefined {
  return FURTHER.find(({ action, isAskedFor, isNeeded }) => {
    if (!isAskedFor(resource.request.headers)) return false;
    const question = { caller, action, resource, isNew: true };
    return isNeeded ? !isAllowed(question) : isDenied(question);
  })?.action;
}
