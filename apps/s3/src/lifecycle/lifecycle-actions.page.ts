/** What a rule does, in XML. Public source: Amazon S3 API reference, "LifecycleRule". */
import { S3Error } from '../http/s3-error.js';
import {
  booleanOf,
  integerOf,
  malformed,
  requireOnly,
  type XmlElement,
  type XmlTree,
} from '../http/xml.js';
import type {
  Expiration,
  LifecycleFilter,
  LifecycleRule,
  NoncurrentExpiration,
} from './lifecycle-rule.js';

type Actions = Pick<LifecycleRule, 'expiration' | 'noncurrent' | 'abortUploadsAfterDays'>;

const MAX_KEPT = 100;
const DAY_MS = 86_400_000;

/** @throws S3Error MalformedXML, InvalidArgument, InvalidRequest, NotImplemented */
export function lifecycleActionsOf(rule: XmlElement, filter: LifecycleFilter): Actions {
  requireNoTransitions(rule);
  const expiration = rule.child('Expiration');
  const noncurrent = rule.child('NoncurrentVersionExpiration');
  const abort = rule.child('AbortIncompleteMultipartUpload');
  if (!expiration && !noncurrent && !abort)
    throw invalidRequest('At least one action needs to be specified in a rule.');
  const found = expiration && expirationOf(expiration);
  if (found?.kind === 'delete-markers') requireNoTags(filter, 'ExpiredObjectDeleteMarker');
  if (abort) requireNoTags(filter, 'AbortIncompleteMultipartUpload');
  return {
    ...(found === undefined ? {} : { expiration: found }),
    ...(noncurrent === undefined ? {} : { noncurrent: noncurrentOf(noncurrent) }),
    ...(abort === undefined
      ? {}
      : { abortUploadsAfterDays: daysOf(abort.need('DaysAfterInitiation'), abort.name) }),
  };
}

export function showLifecycleActions(actions: Actions): { readonly [name: string]: XmlTree } {
  const { expiration, noncurrent, abortUploadsAfterDays } = actions;
  return {
    Expiration: expiration && showExpiration(expiration),
    NoncurrentVersionExpiration: noncurrent && {
      NoncurrentDays: noncurrent.days,
      NewerNoncurrentVersions: noncurrent.kept,
    },
    AbortIncompleteMultipartUpload:
      abortUploadsAfterDays === undefined
        ? undefined
        : { DaysAfterInitiation: abortUploadsAfterDays },
  };
}

function expirationOf(element: XmlElement): Expiration {
  requireOnly(element, ['Days', 'Date', 'ExpiredObjectDeleteMarker']);
  const [days, date] = [element.child('Days'), element.child('Date')];
  const markers = element.child('ExpiredObjectDeleteMarker');
  if ([days, date, markers].filter(Boolean).length !== 1)
    throw malformed('Expiration must have one of Days, Date and ExpiredObjectDeleteMarker.');
  if (days) return { kind: 'days', days: daysOf(days, 'Expiration') };
  if (date) return { kind: 'date', date: dateOf(date) };
  if (markers && booleanOf(markers)) return { kind: 'delete-markers' };
  throw malformed('ExpiredObjectDeleteMarker can only be true.');
}

function showExpiration(expiration: Expiration): XmlTree {
  switch (expiration.kind) {
    case 'days':
      return { Days: expiration.days };
    case 'date':
      return { Date: expiration.date };
    case 'delete-markers':
      return { ExpiredObjectDeleteMarker: true };
  }
}

function noncurrentOf(element: XmlElement): NoncurrentExpiration {
  requireOnly(element, ['NoncurrentDays', 'NewerNoncurrentVersions']);
  const days = daysOf(element.need('NoncurrentDays'), element.name);
  const newer = element.child('NewerNoncurrentVersions');
  if (!newer) return { days };
  const kept = integerOf(newer);
  if (kept >= 1 && kept <= MAX_KEPT) return { days, kept };
  throw invalid(`'NewerNoncurrentVersions' must be from 1 to ${MAX_KEPT}, and not ${kept}.`);
}

function daysOf(element: XmlElement, action: string): number {
  const days = integerOf(element);
  if (days >= 1 && days < 2 ** 31) return days;
  throw invalid(`'${element.name}' for ${action} action must be a positive integer`);
}

/** @returns ISO, as it is shown */
function dateOf(element: XmlElement): string {
  const time = Date.parse(element.text.trim());
  if (!/^\d{4}-/.test(element.text.trim()) || Number.isNaN(time))
    throw malformed(`Date must be in ISO 8601, and not "${element.text.slice(0, 100)}".`);
  if (time % DAY_MS === 0) return new Date(time).toISOString();
  throw invalid("'Date' must be at midnight GMT");
}

function requireNoTransitions(rule: XmlElement): void {
  const moves = [...rule.children('Transition'), ...rule.children('NoncurrentVersionTransition')];
  for (const move of moves) {
    const date = move.child('Date');
    if (date) dateOf(date);
  }
  const [first] = moves;
  if (!first) return;
  throw new S3Error('NotImplemented', {
    message: `${first.name} is not implemented: objects of every storage class are stored alike.`,
  });
}

function requireNoTags({ tags }: LifecycleFilter, action: string): void {
  if (tags) throw invalidRequest(`${action} cannot be specified with Tags.`);
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', { message });
}

function invalidRequest(message: string): S3Error {
  return new S3Error('InvalidRequest', { message });
}
