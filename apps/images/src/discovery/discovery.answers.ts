/** What clients can find out of the service. Public source: Image API reference, "Discovery". */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import type { QuotaUsage } from '@cumulet/common/quotas/check-quota';
import type { ImagesConfig } from '../config.js';
import { IMAGE_QUOTA_NAMES, UNITS, type ImageQuota } from '../images/image-quotas.js';

class ImportMethodsView {
  @Shown(String, 'What they are.')
  description: string;

  @Shown(String, 'Of `value`.', { enum: ['array'] })
  type: string;

  @Shown([String], 'Their names.')
  value: readonly string[];
}

export const ImportInfo = answerClass('ImportInfo', {
  'import-methods': Shown(() => ImportMethodsView, 'How data can be imported.'),
});

export class StoreView {
  @Shown(String, 'Its id.')
  id: string;

  @Shown(String, 'Whether data goes there unless a client says otherwise.', { enum: ['true'] })
  default: string;
}

export class StoreDetail extends StoreView {
  @Shown(String, 'What it keeps data in.', { enum: ['file', 's3', 'memory'] })
  type: string;

  @Shown('integer', 'Downloads prefer the store with the highest.')
  weight: number;

  @Shown(Object, "The driver's settings.")
  properties: Readonly<Record<string, unknown>>;
}

export const StoreList = answerClass('StoreList', {
  stores: Shown([() => StoreView], 'Every store.'),
});

export const StoreDetailList = answerClass('StoreDetailList', {
  stores: Shown([() => StoreDetail], 'Every store.'),
});

export class UsageView {
  @Shown('integer', 'How much there may be; -1 is without a limit.')
  limit: number;

  @Shown('integer', 'How much there is.')
  usage: number;
}

const ABOUT: Readonly<Record<ImageQuota, string>> = {
  image_size_total: 'MiB of data.',
  image_stage_total: 'MiB of staged data.',
  image_count_total: 'Images.',
  image_count_uploading: 'Uploads under way.',
};

const UsageByResource = answerClass(
  'UsageByResource',
  Object.fromEntries(IMAGE_QUOTA_NAMES.map((name) => [name, Shown(() => UsageView, ABOUT[name])])),
);

export const UsageAnswer = answerClass('UsageAnswer', {
  usage: Shown(() => UsageByResource, 'By resource.'),
});

/** Bytes of one read of a file. */
const FILE_CHUNK = 512 * 1024;

/** Megabytes of the first part of an upload. */
const S3_PART = 8;

/** The one store, in Glance's words. */
export function storeDetail({ store, storeFolder }: ImagesConfig): StoreDetail {
  const properties = {
    file: { data_dir: storeFolder, chunk_size: FILE_CHUNK, thin_provisioning: false },
    s3: {
      s3_store_large_object_size: 0,
      s3_store_large_object_chunk_size: S3_PART,
      s3_store_thread_pools: 1,
    },
    memory: {},
  }[store];
  return { id: store, default: 'true', type: store, weight: 0, properties };
}

/** Only whole units count. A limit of -1, none, stays -1. */
export function usageByResource(
  usage: Readonly<Record<ImageQuota, QuotaUsage>>,
): Readonly<Record<string, UsageView>> {
  const inUnits = (amount: number, name: ImageQuota): number => Math.floor(amount / UNITS[name]);
  return Object.fromEntries(
    IMAGE_QUOTA_NAMES.map((name) => {
      const { limit, used } = usage[name];
      return [name, { limit: inUnits(limit, name), usage: inUnits(used, name) }];
    }),
  );
}
