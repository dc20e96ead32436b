/**
 * Notification rules, in XML. Public source: Amazon S3 API reference, "PutBucketNotificationConfiguration".
 */
import { randomUUID } from 'node:crypto';
import { TARGET_KINDS, type NotificationRule, type TargetKind } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import { malformed, requireOnly, type XmlElement, type XmlTree } from '../http/xml.js';
import { EVENT_PATTERNS, webhookOf } from '../notifications/event-record.js';
import type { ConfigurationPage } from './configuration.operations.js';

const MAX_RULES = 100;

/** The element of a rule, and its child that names the target. */
const ELEMENTS: Readonly<Record<TargetKind, readonly [rule: string, target: string]>> = {
  topic: ['TopicConfiguration', 'Topic'],
  queue: ['QueueConfiguration', 'Queue'],
  function: ['CloudFunctionConfiguration', 'CloudFunction'],
};

export const NOTIFICATION: ConfigurationPage<'notification'> = {
  kind: 'notification',
  root: 'NotificationConfiguration',
  operations: {
    get: 'GetBucketNotificationConfiguration',
    put: 'PutBucketNotificationConfiguration',
  },
  absent: { shown: {} },

  parse(document) {
    if (document.child('EventBridgeConfiguration')) {
      const message = 'EventBridgeConfiguration is not implemented.';
      throw new S3Error('NotImplemented', { message });
    }
    requireOnly(
      document,
      Object.values(ELEMENTS).map(([rule]) => rule),
    );
    const rules = TARGET_KINDS.flatMap((kind) =>
      document.children(ELEMENTS[kind][0]).map((rule) => ruleOf(rule, kind)),
    );
    if (rules.length > MAX_RULES)
      throw invalid(`There are ${rules.length} rules; ${MAX_RULES} are allowed.`);
    if (new Set(rules.map(({ id }) => id)).size < rules.length)
      throw invalid('Same ID used for multiple configurations. IDs must be unique.');
    return rules.length === 0 ? null : rules;
  },

  show: (rules) =>
    Object.fromEntries(
      TARGET_KINDS.map((kind) => [
        ELEMENTS[kind][0],
        rules.filter((rule) => rule.kind === kind).map(showRule),
      ]),
    ),
};

function ruleOf(rule: XmlElement, kind: TargetKind): NotificationRule {
  requireOnly(rule, ['Id', 'Event', 'Filter', ELEMENTS[kind][1]]);
  const arn = rule.need(ELEMENTS[kind][1]).text;
  if (!webhookOf(arn)) {
    throw invalid(
      `The ARN ${arn.slice(0, 200)} is not a webhook's: its resource must be a URL, as in arn:aws:sns:::https://example.org/hook.`,
    );
  }
  const events = rule.children('Event').map(({ text }) => eventOf(text));
  if (events.length === 0) throw malformed(`${rule.name} has no Event.`);
  return {
    id: rule.child('Id')?.text ?? randomUUID(),
    kind,
    arn,
    events,
    ...filterOf(rule.child('Filter')),
  };
}

function filterOf(filter: XmlElement | undefined): Pick<NotificationRule, 'prefix' | 'suffix'> {
  const found: { prefix?: string; suffix?: string } = {};
  for (const rule of filter?.child('S3Key')?.children('FilterRule') ?? []) {
    const name = rule.need('Name').text.toLowerCase();
    if (name !== 'prefix' && name !== 'suffix')
      throw invalid(`filter rule name must be either prefix or suffix, and not ${name}`);
    if (found[name] !== undefined)
      throw invalid(`Cannot specify more than one ${name} rule in a filter.`);
    found[name] = rule.need('Value').text;
  }
  return found;
}

function showRule({ id, kind, arn, events, prefix, suffix }: NotificationRule): XmlTree {
  const rules = [
    ...(prefix === undefined ? [] : [{ Name: 'prefix', Value: prefix }]),
    ...(suffix === undefined ? [] : [{ Name: 'suffix', Value: suffix }]),
  ];
  return {
    Id: id,
    [ELEMENTS[kind][1]]: arn,
    Event: events,
    Filter: rules.length === 0 ? undefined : { S3Key: { FilterRule: rules } },
  };
}

function eventOf(text: string): string {
  if (EVENT_PATTERNS.has(text)) return text;
  throw invalid(`The event '${text.slice(0, 100)}' is not supported for notifications.`);
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', { message });
}
