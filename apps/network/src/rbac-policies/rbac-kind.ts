/** What policies may be about, as the policies' service sees it. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { RbacAction, RbacPolicy } from './rbac-policy.entity.js';
import type { SharedObject } from './sharing.js';

/** One kind of object. @template T its row, which a lock has read */
export interface RbacKind<T extends SharedObject = SharedObject> {
  readonly actions: readonly RbacAction[];

  /** The object, which nobody else changes or uses for the first time from then on. */
  lock(tx: RequestContext, id: string): Promise<T>;

  /**
   * The same of one that is the caller's.
   * @throws what the object's own API says of one that the caller does not see
   * @throws InvalidInputError for one that is shared with the caller
   */
  lockOwn(tx: RequestContext, id: string): Promise<T>;

  /** @throws RbacPolicyInitError for a target that could not use it all the same */
  checkTarget(tx: RequestContext, object: T, target: string): Promise<void>;

  /**
   * @param before the policy as it was; that it is another one by now is written already
   * @throws RbacPolicyInUseError where somebody needs what it gave
   */
  refuseIfNeeded(tx: RequestContext, object: T, before: RbacPolicy): Promise<void>;

  /** What the object shows of its policies follows them. @param object as it was before */
  revise(tx: RequestContext, object: T): Promise<void>;
}
