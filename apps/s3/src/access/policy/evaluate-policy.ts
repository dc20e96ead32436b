/**
 * Evaluates a policy for a request. Pure. Public source: IAM user guide, "Policy evaluation logic".
 */
import { NULL } from './condition-operators.js';
import { canonicalKey, factsOf, type Asked, type Facts } from './facts.js';
import { isLike, type Variables } from './pattern.js';
import { isMeantBy, type Condition, type Listed, type Policy, type Statement } from './policy.js';

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

/**
 * Whether conditions hold. Pure. Public source: IAM user guide, "Conditions with multiple keys or values".
 */
function holds(condition: Condition, facts: Facts): boolean {
  const { operator, quantifier, key, values } = condition;
  const found = facts(key);
  if (operator.name === NULL) {
    const isAbsent = found === undefined ? 'true' : 'false';
    return values.some(({ text }) => text.toLowerCase() === isAbsent);
  }
  if (found === undefined) return isTrueOfNothing(condition);
  const variables = variablesOf(facts);
  const isOne = (fact: string): boolean =>
    values.some((value) => operator.matches(fact, value, variables)) !== operator.isNegated;
  const isEvery = quantifier === 'ForAllValues' || (quantifier === undefined && operator.isNegated);
  return isEvery ? found.every(isOne) : found.some(isOne);
}

function isTrueOfNothing({ operator, quantifier, ifExists }: Condition): boolean {
  if (ifExists || quantifier === 'ForAllValues') return true;
  return quantifier === undefined && operator.isNegated;
}

/** A variable is a key with one value. */
function variablesOf(facts: Facts): Variables {
  return (name) => {
    const found = facts(canonicalKey(name));
    return found?.length === 1 ? found[0] : undefined;
  };
}
