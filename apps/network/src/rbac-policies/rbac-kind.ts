/** Kinds of objects that RBAC policies share. Each registers itself here. */
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import type { Condition } from '@cumulet/common/tables/condition';
import type { Table } from '@cumulet/common/tables/table';
import {
  EVERYONE,
  type RbacAction,
  type RbacPolicy,
  type RbacType,
} from './rbac-policy.resource.js';
import { refuseIfUsedByOthers } from './rbac-policy.errors.js';
import type { SharedObject } from './sharing.js';

/** @template T the row of an object, read under a lock */
export interface RbacKind<T extends SharedObject = SharedObject> {
  readonly actions: readonly RbacAction[];

  /** Locks the object against changes and new uses. */
  lock(tx: RequestContext, id: string): Promise<T>;

  /**
   * Locks an object that the caller owns.
   * @throws the object's own not-found error if the caller does not see it
   * @throws InvalidInputError if it is only shared with the caller
   */
  lockOwn(tx: RequestContext, id: string): Promise<T>;

  /** @throws RbacPolicyInitError for a target that could not use the object even with the policy */
  checkTarget(tx: RequestContext, object: T, target: string): Promise<void>;

  /**
   * @param before the policy before the change, which is already written
   * @throws RbacPolicyInUseError if a project needs the access that it gave
   */
  refuseIfNeeded(tx: RequestContext, object: T, before: RbacPolicy): Promise<void>;

  /** Updates columns of the object that depend on its policies. @param object as it was before */
  revise(tx: RequestContext, object: T): Promise<void>;
}

const kinds = new Map<RbacType, RbacKind>();

export function registerKind<T extends SharedObject>(type: RbacType, kind: RbacKind<T>): void {
  kinds.set(type, kind);
}

export function kindOf(type: RbacType): RbacKind {
  const kind = kinds.get(type);
  if (!kind) throw new Error(`no kind of ${type} is registered`);
  return kind;
}

interface Shared<T extends SharedObject> {
  readonly rows: Table<T>;
  readonly visible: (ctx: RequestContext) => Condition[];
  /** SQL of `project_id`, one row for each use; `$1` is the object. */
  readonly users: string;
  /** A table with a column `shared` for access of all projects. */
  readonly shownIn?: string;
  readonly checkTarget?: RbacKind<T>['checkTarget'];
}

/**
 * Kinds that can only be shared: all but networks. Public source: neutron, `objects/rbac_db.py`,
 * and each object's `get_bound_project_ids`.
 */
export function sharedKind<T extends SharedObject>(of: Shared<T>): RbacKind<T> {
  const { rows, visible, users, shownIn, checkTarget = () => Promise.resolve() } = of;
  return {
    actions: ['access_as_shared'],
    lock: (tx, id) => rows.lock(tx, id),
    async lockOwn(tx, id) {
      const seen = await rows.get(tx, id, visible(tx));
      if (!mayActOn(tx, seen.projectId)) {
        const only = 'Only admins can manipulate policies on objects they do not own';
        throw new InvalidInputError(only);
      }
      await rows.lock(tx, id);
      return rows.get(tx, id, visible(tx));
    },
    checkTarget,
    refuseIfNeeded: (tx, object, { targetTenant }) =>
      refuseIfUsedByOthers(tx, object, users, targetTenant),
    async revise(tx, { id }) {
      if (shownIn === undefined) return;
      await preparedRows(
        tx.manager,
        `UPDATE ${shownIn}
            SET shared = EXISTS (SELECT FROM rbac_policies
                                  WHERE object_id = $1 AND target_tenant = '${EVERYONE}')
          WHERE id = $1`,
        [id],
      );
    },
  };
}
