/** Attributes and conventions that Neutron's resources have in common. */
import type { ProjectId } from '@cumulet/common/context/ids';
import { attribute, keptElsewhere, shownOnly } from '@cumulet/common/resources/attribute';
import { MAX_INTEGER, resourcesBy, TAG_FILTERS } from '@cumulet/common/resources/resource';
import { integer, moment, setOf, text, uuid } from '@cumulet/common/resources/value-type';
import { compares } from '@cumulet/common/tables/condition';

/** For attributes by which lists are neither filtered nor sorted. */
export const neither = { filter: false, sort: false } as const;

const projectId = {
  about: 'The ID of the project that owns the resource.',
  given: 'at-creation',
} as const;

/** A column of type text[]; other lists are JSON. */
export const TEXTS = { type: 'text', array: true } as const;
export const NO_TEXTS = { ...TEXTS, default: () => `'{}'` } as const;

export const NOW = { default: () => 'now()' } as const;

/** Of every resource. Public source: neutron-lib, `standardattrdescription` and others. */
export const STANDARD = {
  id: shownOnly(uuid, { about: 'The ID.', column: { primary: true } }),
  name: attribute(text(), { about: 'The name.', default: '' }),
  description: attribute(text(), { about: 'The description.', default: '' }),
  projectId: attribute(text<ProjectId>(), projectId),
  tenantId: keptElsewhere(attribute(text(), { ...projectId, property: 'projectId' })),
  createdAt: shownOnly(moment, {
    about: 'The time at which the resource was created.',
    column: NOW,
  }),
  updatedAt: shownOnly(moment, {
    about: 'The time at which the resource was last changed.',
    column: NOW,
  }),
  revisionNumber: shownOnly(integer(0, MAX_INTEGER), {
    about: 'The revision number, which every change increments.',
    column: { default: 0 },
  }),
  tags: attribute(setOf(text(), 50), {
    about: 'The tags.',
    given: 'at-creation',
    default: [],
    column: NO_TEXTS,
    ...neither,
  }),
};

export type Standard = typeof STANDARD;

const convention = {
  filters: {
    ...TAG_FILTERS,
    changed_since: ([since = '']: readonly string[]) =>
      compares('updatedAt', 'gte', moment.fromText(since)),
  },
  /** Such as `2026-11-23T02:30:00Z`. */
  writeTime: (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z'),
};

export const defineResource = resourcesBy({ ...convention, attributes: STANDARD });

/** A resource without the standard attributes. */
export const defineBareResource = resourcesBy({ ...convention, attributes: {} });
