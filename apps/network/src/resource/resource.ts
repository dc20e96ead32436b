/**
 * A resource in one declaration: its names and its attributes. Its routes, its documents, the
 * reading of bodies, filters, sorting, pages and tags follow from it.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { compares, type Condition } from '@cumulet/common/tables/condition';
import { attribute, shownOnly, type Attribute, type Attributes } from './attribute.js';
import { integer, listOf, moment, text, uuid } from './value-type.js';

export interface Resource<A extends object = Attributes> {
  /** As bodies name one: `network`; also its quota's name. */
  readonly singular: string;
  /** As lists name them: `networks`. */
  readonly plural: string;
  readonly attributes: A;
  /** What a list can be filtered by besides the attributes. */
  readonly filters?: Readonly<
    Record<string, (values: readonly string[], ctx: RequestContext) => Condition>
  >;
}

export const MAX_INTEGER = 2_147_483_647;

const projectId = { about: 'The project whose it is.', given: 'at-creation' } as const;

/** What every resource has. Public source: neutron-lib, `standardattrdescription` and others. */
const STANDARD = {
  id: shownOnly(uuid, { about: 'Its id.' }),
  name: attribute(text(), { about: 'What its owner calls it.', default: '' }),
  description: attribute(text(), { about: 'What it is for.', default: '' }),
  project_id: attribute(text(), projectId),
  tenant_id: attribute(text(), { ...projectId, property: 'projectId' }),
  created_at: shownOnly(moment, { about: 'When it was created.' }),
  updated_at: shownOnly(moment, { about: 'When it was last changed.' }),
  revision_number: shownOnly(integer(0, MAX_INTEGER), { about: 'How often it has changed.' }),
  tags: attribute(listOf(text()), {
    about: 'Words that its owner has given it.',
    given: 'at-creation',
    default: [],
    filter: false,
    sort: false,
  }),
};

export type Standard = typeof STANDARD;

export function defineResource<const A extends Attributes>(
  declaration: Resource<A>,
): Resource<Standard & A> {
  return { ...declaration, attributes: { ...STANDARD, ...declaration.attributes } };
}

/** The attributes of a resource by name, in the order in which they are shown. */
export function attributesOf({ attributes }: Resource<object>): [string, Attribute][] {
  return Object.entries(attributes as Attributes);
}

/** Tags as clients list them in a query: `red,blue`. */
const words = (values: readonly string[]): string[] => values.flatMap((one) => one.split(','));

const tagged = (operator: '@>' | '&&', isNot = false) => {
  return (values: readonly string[]): Condition => {
    const not = isNot ? 'NOT ' : '';
    return (bind, column) => `${not}${column('tags')} ${operator} ${bind(words(values))}::text[]`;
  };
};

/** What every list can be filtered by besides attributes. */
export const COMMON_FILTERS: NonNullable<Resource['filters']> = {
  tags: tagged('@>'),
  'tags-any': tagged('&&'),
  'not-tags': tagged('@>', true),
  'not-tags-any': tagged('&&', true),
  changed_since: ([since = '']) => compares('updatedAt', 'gte', moment.fromText(since)),
};
