/**
 * When Nova withdrew its proxies: from these microversions on they do not exist, since clients ask
 * the services themselves. Public source: Nova, "REST API Version History", 2.36 and 2.39.
 */
import type { VersionSpan } from '../versions/of-versions.js';

export const UNTIL_36: VersionSpan = { until: 35 };
export const UNTIL_39: VersionSpan = { until: 38 };
