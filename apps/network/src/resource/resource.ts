/** What Neutron's resources have in common. */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { MAX_INTEGER, resourcesBy, TAG_FILTERS } from '@cumulet/common/resources/resource';
import { integer, moment, setOf, text, uuid } from '@cumulet/common/resources/value-type';
import { compares } from '@cumulet/common/tables/condition';

/** Of attributes that lists do not go by. */
export const neither = { filter: false, sort: false } as const;

const projectId = { about: 'The project whose it is.', given: 'at-creation' } as const;

/** What every resource has. Public source: neutron-lib, `standardattrdescription` and others. */
const STANDARD = {
  id: shownOnly(uuid, { about: 'Its id.' }),
  name: attribute(text(), { about: 'What its owner calls it.', default: '' }),
  description: attribute(text(), { about: 'What it is for.', default: '' }),
  projectId: attribute(text(), projectId),
  tenantId: attribute(text(), { ...projectId, property: 'projectId' }),
  createdAt: shownOnly(moment, { about: 'When it was created.' }),
  updatedAt: shownOnly(moment, { about: 'When it was last changed.' }),
  revisionNumber: shownOnly(integer(0, MAX_INTEGER), { about: 'How often it has changed.' }),
  tags: attribute(setOf(text(), 50), {
    about: 'Words that its owner has given it.',
    given: 'at-creation',
    default: [],
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
  /** `2026-11-23T02:30:00Z` */
  writeTime: (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z'),
};

export const defineResource = resourcesBy({ ...convention, attributes: STANDARD });

/** One with no other attributes than its own. */
export const defineBareResource = resourcesBy({ ...convention, attributes: {} });
