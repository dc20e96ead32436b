/**
 * What a policy says to a request. Pure. Public source: IAM user guide, "Policy evaluation logic".
 */
import { holds, variablesOf } from './conditions.js';
import { factsOf, type Asked, type Facts } from './facts.js';
import { isLike } from './pattern.js';
import type { Listed, Policy, Statement } from './policy.js';
import { isMeantBy } from './principal.js';

/** A statement that denies comes before all that allow. */
export type Verdict = 'allow' | 'deny' | 'nothing';

/** @param action as policies name it: `s3:GetObject` */
export function verdictOf(policy: Policy, action: string, asked: Asked): Verdict {
  const facts = factsOf(asked);
  const effects = policy.statements
    .filter((statement) => applies(statement, action, asked, facts))
    .map(({ effect }) => effect);
  if (effects.includes('Deny')) return 'deny';
  return effects.includes('Allow') ? 'allow' : 'nothing';
}

function applies(
  { actions, principals, resources, conditions }: Statement,
  action: string,
  { caller, bucket, key }: Asked,
  facts: Facts,
): boolean {
  const spelt = action.toLowerCase();
  const path = key === undefined ? bucket.name : `${bucket.name}/${key}`;
  const variables = variablesOf(facts);
  return (
    isAmong(actions, (one) => isLike(one, spelt, variables)) &&
    isAmong(principals, (one) => isMeantBy(caller, one)) &&
    isAmong(
      resources,
      (one) =>
        isLike(one.path, path, variables) &&
        (one.account.text === '' || isLike(one.account, bucket.projectId, variables)),
    ) &&
    conditions.every((condition) => holds(condition, facts))
  );
}

function isAmong<T>({ items, isNegated }: Listed<T>, matches: (item: T) => boolean): boolean {
  return items.some(matches) !== isNegated;
}
