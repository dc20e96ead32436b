/** What a bucket policy says. Public source: IAM user guide, "IAM JSON policy elements reference". */
import type { ConditionOperator } from './condition-operators.js';
import type { Pattern } from './pattern.js';
import type { PrincipalPattern } from './principal.js';

export interface Policy {
  readonly statements: readonly Statement[];
}

export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly principals: Listed<PrincipalPattern>;
  /** In lower case: actions are spelt as one likes. */
  readonly actions: Listed<Pattern>;
  readonly resources: Listed<ResourcePattern>;
  /** All of them must hold. */
  readonly conditions: readonly Condition[];
}

/** What is in a list, or (`NotAction`, …) all that is not. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly isNegated: boolean;
}

export interface ResourcePattern {
  /** The project of the bucket; empty for any. */
  readonly account: Pattern;
  /** `bucket`, `bucket/key`. */
  readonly path: Pattern;
}

export interface Condition {
  readonly operator: ConditionOperator;
  /** How a key with several values is taken. */
  readonly quantifier: 'ForAllValues' | 'ForAnyValue' | undefined;
  /** Whether it holds where the key has no value. */
  readonly ifExists: boolean;
  /** In lower case, but for the name of a tag. */
  readonly key: string;
  /** One of them must do. */
  readonly values: readonly Pattern[];
}
