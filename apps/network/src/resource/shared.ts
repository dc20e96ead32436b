/** What callers see of whom a resource is shared with. Public source: neutron, `objects/rbac_db.py`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Condition } from '@cumulet/common/tables/condition';
import { flag } from '@cumulet/common/resources/value-type';
import { EVERYONE } from '../rbac-policies/rbac-policy.entity.js';
import { sharedWith } from '../rbac-policies/sharing.js';

interface SharedRow {
  /** Where it is a column: whether everyone may use it. */
  readonly shared?: boolean;
  readonly sharedWith: readonly string[];
}

/** @param idColumn of what policies are for */
export function sharedFilter(idColumn: string) {
  return (values: readonly string[], { projectId }: RequestContext): Condition => {
    const asked = values.map((one) => flag.fromText(one));
    return (bind, column) =>
      `(${column(idColumn)} IN (${sharedWith(bind(projectId))})) = ANY(${bind(asked)})`;
  };
}

/** The attribute `shared`, as far as policies make it: whether everyone, or the caller, may use it. */
export const sharedByPolicies = {
  forCaller: ({ shared, sharedWith: targets }: SharedRow, { projectId }: RequestContext): boolean =>
    shared === true || targets.includes(EVERYONE) || targets.includes(projectId),
  filter: sharedFilter('id'),
};
