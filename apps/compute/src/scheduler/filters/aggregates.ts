/** Filters by the metadata of the aggregates that hosts are in. */
import { metadataValues } from '../candidate.js';
import { meetsExtraSpec } from './extra-spec-match.js';
import type { Filter } from './filter.js';

const SCOPE = 'aggregate_instance_extra_specs:';

export const AGGREGATE_FILTERS: readonly Filter[] = [
  {
    // Names without the scope are left to whoever wrote them: most are no aggregate's.
    name: 'AggregateInstanceExtraSpecsFilter',
    passes: (host, { extraSpecs }) =>
      Object.entries(extraSpecs)
        .filter(([key]) => key.startsWith(SCOPE))
        .every(([key, required]) =>
          metadataValues(host, key.slice(SCOPE.length)).some((value) =>
            meetsExtraSpec(value, required),
          ),
        ),
    explain: (_, { extraSpecs }) =>
      `no aggregate with ${Object.entries(extraSpecs)
        .filter(([key]) => key.startsWith(SCOPE))
        .map(([key, required]) => `${key.slice(SCOPE.length)} ${required}`)
        .join(', ')}`,
  },
  {
    name: 'AggregateTypeAffinityFilter',
    passes: (host, { flavorName }) => {
      const flavors = metadataValues(host, 'instance_type');
      return flavors.length === 0 || flavors.includes(flavorName);
    },
    explain: (_, { flavorName }) => `kept for other flavors than ${flavorName}`,
  },
  {
    name: 'AggregateImagePropertiesIsolation',
    passes: (host, { imageProperties }) =>
      Object.entries(imageProperties).every(([key, property]) => {
        const values = metadataValues(host, key);
        return values.length === 0 || values.includes(property);
      }),
    explain: () => 'kept for images with other properties',
  },
];
