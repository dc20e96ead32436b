/** What all types that are made of a stack below have in common. */
import type { ExistingScope, ResourceType } from '../resource-type.js';
import type { NestedStacks } from '../resource-type.js';
import { NestedFailure } from '../resource-type.errors.js';

/** @returns whether its action is over. @throws NestedFailure with the reason of the stack below */
export async function isNestedDone(nested: NestedStacks): Promise<boolean> {
  const stack = await nested.find();
  if (!stack) throw new NestedFailure('The stack below is gone.');
  if (stack.status === 'FAILED') throw new NestedFailure(stack.reason);
  return stack.status === 'COMPLETE';
}

type NestedSteps = Required<
  Pick<
    ResourceType,
    | 'isCreated'
    | 'isUpdated'
    | 'isNested'
    | 'updatesFailed'
    | 'remove'
    | 'isRemoved'
    | 'read'
    | 'check'
    | 'isChecked'
    | 'suspend'
    | 'isSuspended'
    | 'resume'
    | 'isResumed'
  >
>;

const isDone = ({ nested }: ExistingScope): Promise<boolean> => isNestedDone(nested);

export const nestedSteps: NestedSteps = {
  isNested: true,
  updatesFailed: true,
  isCreated: isDone,
  isUpdated: isDone,
  remove: ({ nested }) => nested.remove(),
  async isRemoved({ nested }) {
    const stack = await nested.find();
    if (stack?.action === 'DELETE' && stack.status === 'FAILED')
      throw new NestedFailure(stack.reason);
    return stack === undefined;
  },
  async read({ nested }) {
    const stack = await nested.find();
    return stack && { ...stack };
  },
  check: ({ nested }) => nested.check(),
  isChecked: isDone,
  suspend: ({ nested }) => nested.suspend(),
  isSuspended: isDone,
  resume: ({ nested }) => nested.resume(),
  isResumed: isDone,
};
