import type { StackAction, StackState } from './stack.states.js';
import type { StackResource } from './stack-resource.entity.js';

/** A resource with what work on it needs to know of its stack. The phases of a run change it. */
export interface LoadedResource extends StackResource {
  readonly stackName: string;
  readonly stackAction: StackAction;
  readonly stackState: StackState;
  readonly stackTags: string[];
  readonly stackDepth: number;
  readonly stackTimeoutMinutes: number | null;
  readonly projectId: string;
  readonly rootId: string;
  /** Who made the root stack. */
  readonly userId: string;
  readonly userName: string;
  /** Of the root stack; null in a cloud without. */
  readonly trustId: string | null;
  readonly timeoutAt: Date | null;
  /** Whether the stack's action has an `ActionData`. */
  readonly hasActionData: boolean;
}
