/**
 * The action of a policy with the fields it requires; fields of other actions are dropped. Pure.
 * Public source: octavia, `common/validate.py`, `sanitize_l7policy_api_args`.
 */
import { invalid } from '@cumulet/common/errors/domain-error';
import { type Action, ACTIONS, type L7Policy } from '../tree/l7-policy.entity.js';

/** Public source: octavia, `common/exceptions.py`. */
class InvalidL7PolicyArgsError extends invalid(
  (reason: string) => `Invalid L7 Policy arguments: ${reason}`,
) {}

const DEFAULT_CODE = 302;

type Target = 'redirectPoolId' | 'redirectUrl' | 'redirectPrefix';

export type ActionColumns = Pick<L7Policy, 'action' | 'redirectHttpCode' | Target>;

const TARGETS: Readonly<Record<Action, Target | null>> = {
  REDIRECT_TO_POOL: 'redirectPoolId',
  REDIRECT_TO_URL: 'redirectUrl',
  REDIRECT_PREFIX: 'redirectPrefix',
  REJECT: null,
};

const NAMES: Readonly<Record<Target, string>> = {
  redirectPoolId: 'redirect_pool_id',
  redirectUrl: 'redirect_url',
  redirectPrefix: 'redirect_prefix',
};

/**
 * @param before what the policy has
 * @throws InvalidL7PolicyArgsError for an action without its target, or two of them
 */
export function actionColumns(
  given: Partial<ActionColumns>,
  before?: ActionColumns,
): ActionColumns {
  const action = (given.action ?? actionBy(given) ?? before?.action ?? '') as Action;
  const isSame = action === before?.action;
  const target = TARGETS[action];
  const nothing = { redirectPoolId: null, redirectUrl: null, redirectPrefix: null };
  if (target === null) return { action, ...nothing, redirectHttpCode: null };
  const wanted = given[target];
  const value = wanted === undefined && isSame ? before[target] : (wanted ?? null);
  if (value === null) throw new InvalidL7PolicyArgsError(`${NAMES[target]} must not be None`);
  // Null asks for the default.
  const kept = isSame ? before.redirectHttpCode : null;
  const code = given.redirectHttpCode === undefined ? kept : given.redirectHttpCode;
  return {
    action,
    ...nothing,
    [target]: value,
    redirectHttpCode: target === 'redirectPoolId' ? null : (code ?? DEFAULT_CODE),
  };
}

/** The action that the one target means that is given. */
function actionBy(given: Partial<ActionColumns>): Action | undefined {
  const [first, second] = ACTIONS.filter((action) => {
    const target = TARGETS[action];
    return target !== null && given[target] != null;
  });
  if (second) {
    throw new InvalidL7PolicyArgsError(
      'Cannot specify more than one of redirect_pool_id, redirect_url and redirect_prefix at the same time',
    );
  }
  return first;
}
