/**
 * Lifecycle rules in XML. Public source: Amazon S3 API reference,
 * "PutBucketLifecycleConfiguration".
 */
import { randomUUID } from 'node:crypto';
import type {
  Expiration,
  LifecycleFilter,
  LifecycleRule,
  NoncurrentExpiration,
} from '../buckets/lifecycle-rules.js';
import { S3Error } from '../http/s3-error.js';
import {
  booleanOf,
  choiceOf,
  integerOf,
  malformed,
  requireOnly,
  type XmlElement,
  type XmlTree,
} from '../http/xml.js';
import type { ConfigurationPage } from './configuration.operations.js';

const MAX_RULES = 1000;
const MAX_ID = 255;
const ELEMENTS = [
  'ID',
  'Status',
  'Prefix',
  'Filter',
  'Expiration',
  'NoncurrentVersionExpiration',
  'AbortIncompleteMultipartUpload',
  'Transition',
  'NoncurrentVersionTransition',
];

export const LIFECYCLE: ConfigurationPage<'lifecycle'> = {
  kind: 'lifecycle',
  root: 'LifecycleConfiguration',
  operations: {
    get: 'GetBucketLifecycleConfiguration',
    put: 'PutBucketLifecycleConfiguration',
    delete: 'DeleteBucketLifecycle',
  },
  absent: 'NoSuchLifecycleConfiguration',
  // Terraform waits for it.
  headers: { 'x-amz-transition-default-minimum-object-size': 'all_storage_classes_128K' },

  parse(document) {
    requireOnly(document, ['Rule']);
    const rules = document.children('Rule').map(ruleOf);
    if (rules.length < 1 || rules.length > MAX_RULES)
      throw malformed(`There must be from 1 to ${MAX_RULES} rules, and not ${rules.length}.`);
    const ids = new Set(rules.map(({ id }) => id));
    if (ids.size < rules.length)
      throw invalid('Rule ID must be unique. Found same ID for more than one rule');
    return rules;
  },

  show: (rules) => ({ Rule: rules.map(showRule) }),
};

function ruleOf(rule: XmlElement): LifecycleRule {
  requireOnly(rule, ELEMENTS);
  const id = rule.child('ID')?.text ?? randomUUID();
  if (id.length > MAX_ID) throw invalid(`ID length should not exceed allowed limit of ${MAX_ID}`);
  const status = choiceOf(rule.need('Status'), ['Enabled', 'Disabled']);
  const [prefix, filter] = [rule.child('Prefix'), rule.child('Filter')];
  if (prefix && filter) throw malformed('A rule has one of Filter and Prefix.');
  if (!prefix && !filter) throw malformed('A rule has neither Filter nor Prefix.');
  const found = {
    id,
    isEnabled: status === 'Enabled',
    filter: filter ? filterOf(filter) : { prefix: prefix?.text ?? '' },
    hasOwnPrefix: !filter,
  };
  return { ...found, ...lifecycleActionsOf(rule, found.filter) };
}

function showRule(rule: LifecycleRule): XmlTree {
  return {
    ID: rule.id,
    ...(rule.hasOwnPrefix
      ? { Prefix: rule.filter.prefix ?? '' }
      : { Filter: showFilter(rule.filter) }),
    Status: rule.isEnabled ? 'Enabled' : 'Disabled',
    ...showLifecycleActions(rule),
  };
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', { message });
}

const CONDITIONS = ['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan'];

/**
 * The filter of a rule, in XML. Public source: Amazon S3 API reference, "LifecycleRuleFilter".
 *
 * Amazon wants several conditions within `And`; here they may also stand beside it: all have to hold.
 * @throws S3Error MalformedXML, InvalidRequest
 */
function filterOf(filter: XmlElement): LifecycleFilter {
  requireOnly(filter, [...CONDITIONS, 'And']);
  const and = filter.child('And');
  if (and) requireOnly(and, CONDITIONS);
  const places = and ? [filter, and] : [filter];
  const prefix = prefixOf(places.flatMap((place) => place.child('Prefix')?.text ?? []));
  const tags = tagsOf(places.flatMap((place) => place.children('Tag')));
  const above = sizesOf(places, 'ObjectSizeGreaterThan');
  const below = sizesOf(places, 'ObjectSizeLessThan');
  const [sizeAbove, sizeBelow] = [Math.max(...above), Math.min(...below)];
  if (sizeAbove >= sizeBelow) {
    throw new S3Error('InvalidRequest', {
      message: "'ObjectSizeGreaterThan' has to be a value less than 'ObjectSizeLessThan'.",
    });
  }
  return {
    ...(prefix === undefined ? {} : { prefix }),
    ...(tags === undefined ? {} : { tags }),
    ...(above.length === 0 ? {} : { sizeAbove }),
    ...(below.length === 0 ? {} : { sizeBelow }),
  };
}

function showFilter({ prefix, tags = {}, sizeAbove, sizeBelow }: LifecycleFilter): XmlTree {
  const pairs = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const others = pairs.length + Number(sizeAbove !== undefined) + Number(sizeBelow !== undefined);
  const conditions = {
    Prefix: prefix === '' && others > 0 ? undefined : prefix,
    Tag: pairs,
    ObjectSizeGreaterThan: sizeAbove,
    ObjectSizeLessThan: sizeBelow,
  };
  const isSingle = others + Number(Boolean(prefix)) <= 1;
  return isSingle ? conditions : { And: conditions };
}

function prefixOf(prefixes: readonly string[]): string | undefined {
  const [first, second] = prefixes;
  if (first === undefined || second === undefined) return first ?? second;
  if (first.startsWith(second)) return first;
  if (second.startsWith(first)) return second;
  throw malformed(`No key begins with both "${first}" and "${second}".`);
}

function tagsOf(elements: readonly XmlElement[]): Readonly<Record<string, string>> | undefined {
  if (elements.length === 0) return undefined;
  const tags = new Map(elements.map((tag) => [tag.need('Key').text, tag.need('Value').text]));
  if (tags.size === elements.length) return Object.fromEntries(tags);
  throw new S3Error('InvalidRequest', { message: 'Duplicate Tag Keys are not allowed.' });
}

function sizesOf(places: readonly XmlElement[], name: string): number[] {
  return places.flatMap((place) => {
    const element = place.child(name);
    if (!element) return [];
    const size = integerOf(element);
    if (size >= 0) return [size];
    throw malformed(`${name} must be a number of bytes, and not ${size}.`);
  });
}

type Actions = Pick<LifecycleRule, 'expiration' | 'noncurrent' | 'abortUploadsAfterDays'>;

const MAX_KEPT = 100;
const DAY_MS = 86_400_000;

/**
 * A lifecycle rule, in XML. Public source: Amazon S3 API reference, "LifecycleRule".
 * @throws S3Error MalformedXML, InvalidArgument, InvalidRequest, NotImplemented
 */
function lifecycleActionsOf(rule: XmlElement, filter: LifecycleFilter): Actions {
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

function showLifecycleActions(actions: Actions): { readonly [name: string]: XmlTree } {
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

/** @returns an ISO date, as it is shown */
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

function invalidRequest(message: string): S3Error {
  return new S3Error('InvalidRequest', { message });
}
