/** A second type in the same world: a thing can only be changed and deleted by its own type. */
import type { ExistingScope, ResourceType } from '../resource-types/resource-type.js';
import type { TestThings } from './test-things.fixture.js';

export const OTHER = 'Test::Other';
const MARK = 'other-';

export function otherThings({ type, things }: TestThings): ResourceType {
  return {
    ...type,
    name: OTHER,
    async create(scope) {
      const { physicalId } = await type.create(scope);
      const made = things.get(physicalId ?? '');
      const id = `${MARK}${physicalId}`;
      if (made && !things.has(id)) things.set(id, made);
      things.delete(physicalId ?? '');
      return { physicalId: id };
    },
    update: async (scope, change) => (await type.update?.(own(scope), change)) ?? {},
    remove: async (scope) => type.remove(own(scope)),
  };
}

function own(scope: ExistingScope): ExistingScope {
  if (!scope.row.physicalId.startsWith(MARK)) throw new Error('it is of another type');
  return scope;
}

/** @throws Error for a thing of the other type */
export function plainThings({ type }: TestThings): ResourceType {
  const plain = (scope: ExistingScope): ExistingScope => {
    if (scope.row.physicalId.startsWith(MARK)) throw new Error('it is of another type');
    return scope;
  };
  return {
    ...type,
    update: async (scope, change) => (await type.update?.(plain(scope), change)) ?? {},
    remove: async (scope) => type.remove(plain(scope)),
  };
}
