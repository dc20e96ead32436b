/** Which rule of a bucket's lifecycle comes first. Pure. */
import type { Bucket } from '../buckets/bucket.entity.js';
import type { LifecycleRule } from './lifecycle-rule.js';

export interface DueRule {
  /** Of the rule, as a header can have it: percent-encoded. */
  readonly ruleId: string;
  readonly at: Date;
}

/**
 * @param dueOf when a rule is due; undefined if it never is
 * @returns undefined if no rule that is enabled is ever due
 */
export function firstDue(
  { configurations }: Pick<Bucket, 'configurations'>,
  dueOf: (rule: LifecycleRule) => Date | undefined,
): DueRule | undefined {
  const due = (configurations.lifecycle ?? []).flatMap((rule) => {
    const at = rule.isEnabled ? dueOf(rule) : undefined;
    return at ? [{ ruleId: encodeURIComponent(rule.id), at }] : [];
  });
  return due.sort((one, other) => one.at.getTime() - other.at.getTime())[0];
}
