/** What a project has of its quotas. Public source: Image API reference, "Quota usage". */
import type { ImageResource } from '../images/image-quotas.js';

export interface UsageView {
  readonly usage: Readonly<Record<string, { readonly limit: number; readonly usage: number }>>;
}

const MIB = 1024 * 1024;

/** In order, with the units of one that the Image API counts as one: it knows sizes in mebibytes. */
const UNITS: Readonly<Record<ImageResource, number>> = {
  image_size_total: MIB,
  image_stage_total: MIB,
  image_count_total: 1,
  image_count_uploading: 1,
};

type Amounts = Readonly<Record<ImageResource, number>>;

export function usageView(usage: Amounts, limits: Amounts): UsageView {
  const entries = Object.entries(UNITS) as [ImageResource, number][];
  return {
    usage: Object.fromEntries(
      entries.map(([resource, unit]) => [
        resource,
        // A limit of -1, none, stays -1.
        { limit: Math.floor(limits[resource] / unit), usage: Math.floor(usage[resource] / unit) },
      ]),
    ),
  };
}
