/** The default retention of a bucket, in XML. Pure. */
import { S3Error } from '../../http/s3-error.js';
import {
  choiceOf,
  integerOf,
  malformed,
  requireOnly,
  type XmlElement,
  type XmlTree,
} from '../../http/xml.js';
import type { DefaultRetention } from '../configurations.js';

const MAX_YEARS = 100;
const MAX_DAYS = 36_500;

/**
 * @param document an ObjectLockConfiguration
 * @returns null for one without a rule
 * @throws S3Error MalformedXML, InvalidRetentionPeriod
 */
export function defaultRetentionOf(document: XmlElement): DefaultRetention | null {
  requireOnly(document, ['ObjectLockEnabled', 'Rule']);
  choiceOf(document.need('ObjectLockEnabled'), ['Enabled']);
  const rule = document.child('Rule');
  if (!rule) return null;
  const retention = rule.need('DefaultRetention');
  const mode = choiceOf(retention.need('Mode'), ['GOVERNANCE', 'COMPLIANCE']);
  const [days, years] = [retention.child('Days'), retention.child('Years')];
  if ((days === undefined) === (years === undefined))
    throw malformed('DefaultRetention must have one of Days and Years.');
  return days === undefined
    ? { mode, years: periodOf(years, MAX_YEARS) }
    : { mode, days: periodOf(days, MAX_DAYS) };
}

export function showObjectLock(retention: DefaultRetention | undefined): XmlTree {
  return {
    ObjectLockEnabled: 'Enabled',
    Rule: retention && {
      DefaultRetention: { Mode: retention.mode, Days: retention.days, Years: retention.years },
    },
  };
}

function periodOf(element: XmlElement | undefined, max: number): number {
  const value = element === undefined ? 0 : integerOf(element);
  if (value >= 1 && value <= max) return value;
  const name = element?.name ?? 'Days';
  throw new S3Error('InvalidRetentionPeriod', {
    message: `The default retention period must be from 1 to ${max} ${name.toLowerCase()}, and not ${value}.`,
  });
}
