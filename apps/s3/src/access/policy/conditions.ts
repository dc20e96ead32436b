/** Whether conditions hold. Pure. Public source: IAM user guide, "Conditions with multiple keys or values". */
import { NULL } from './condition-operators.js';
import { canonicalKey, type Facts } from './facts.js';
import type { Variables } from './pattern.js';
import type { Condition } from './policy.js';

export function holds(condition: Condition, facts: Facts): boolean {
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
export function variablesOf(facts: Facts): Variables {
  return (name) => {
    const found = facts(canonicalKey(name));
    return found?.length === 1 ? found[0] : undefined;
  };
}
