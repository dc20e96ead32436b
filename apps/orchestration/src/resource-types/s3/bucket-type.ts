/** What types that are a bucket share. */
import type { JsonObject } from '../../json/json.js';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { ExistingScope, ResourceScope, ResourceType } from '../resource-type.js';
import { bucketNameOf, Buckets, type NewBucket } from './buckets.js';
import type { Properties } from '../../constraints/property-schema.js';

export interface BucketDeclaration {
  nameOf?(properties: Properties): string | undefined;
  bucketOf(properties: Properties): NewBucket;
  /** Whether its objects go with it. */
  isPurged(properties: Properties): boolean;
  /** What is said of one that is not empty. */
  notEmpty(name: string): string;
}

type Made = Pick<ResourceType, 'create' | 'remove' | 'isRemoved' | 'read'>;

export function bucketType(declared: BucketDeclaration): Made {
  const nameOf = (scope: ResourceScope): string =>
    declared.nameOf?.(scope.properties) ?? bucketNameOf(scope);

  const removeOnce = (scope: ExistingScope): Promise<void> =>
    Buckets.use(scope, async (buckets) => {
      const { physicalId: name } = scope.row;
      try {
        if (declared.isPurged(scope.properties)) await buckets.purge(name);
        await buckets.remove(name);
      } catch (error) {
        const isFull = (error as { readonly name?: unknown }).name === 'BucketNotEmpty';
        if (!isFull) throw error;
        if (!declared.isPurged(scope.properties))
          throw new DomainError('conflict', declared.notEmpty(name), { cause: error });
      }
    });

  return {
    create: (scope) =>
      Buckets.use(scope, async (buckets) => {
        const name = nameOf(scope);
        await buckets.make(name, declared.bucketOf(scope.properties));
        return { physicalId: name };
      }),

    remove: removeOnce,
    /** What was not deleted with the first request is with the next. */
    async isRemoved(scope) {
      const isThere = await isBucketThere(scope);
      if (isThere) await removeOnce(scope);
      return !isThere;
    },

    async read(scope): Promise<JsonObject | undefined> {
      return (await isBucketThere(scope)) ? { name: scope.row.physicalId } : undefined;
    },
  };
}

function isBucketThere(scope: ExistingScope): Promise<boolean> {
  return Buckets.use(scope, (buckets) => buckets.isThere(scope.row.physicalId));
}
