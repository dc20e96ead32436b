/**
 * Lifecycle rules in XML. Public source: Amazon S3 API reference,
 * "PutBucketLifecycleConfiguration".
 */
import { randomUUID } from 'node:crypto';
import type { ConfigurationPage } from '../configurations/configuration-page.js';
import { S3Error } from '../http/s3-error.js';
import { choiceOf, malformed, requireOnly, type XmlElement, type XmlTree } from '../http/xml.js';
import { lifecycleActionsOf, showLifecycleActions } from './lifecycle-actions.page.js';
import { filterOf, showFilter } from './lifecycle-filter.page.js';
import type { LifecycleRule } from './lifecycle-rule.js';

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
