/**
 * Which types there are, for whoever asks. Pure. Public source: Orchestration API reference, "List
 * resource types"; heat, `engine/environment.py`, `get_types`.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { beginningsWithinLimit } from '../constraints/match-pattern.js';
import { PatternFault } from '../constraints/python-pattern.js';
import { flagOf, type Query } from '../http/query.js';
import type { ResourceType } from './resource-type.js';

const STATUSES = ['UNKNOWN', 'SUPPORTED', 'PROTOTYPE', 'DEPRECATED', 'UNSUPPORTED', 'HIDDEN'];

/** Milliseconds that a client's pattern may hold up everybody else. */
const MATCH_LIMIT = 50;

export const TYPE_LIST_PARAMETERS = ['name', 'version', 'support_status', 'with_description'];

/**
 * Names, or with `with_description` objects; the hidden ones are never among them.
 * @throws InvalidInputError for a support status that there is none of
 */
export function typeList(types: Iterable<ResourceType>, query: Query): (string | object)[] {
  const [name] = valuesOf(query, 'name');
  const [version] = valuesOf(query, 'version');
  const [status] = valuesOf(query, 'support_status');
  if (status !== undefined && !STATUSES.includes(status))
    throw new InvalidInputError(
      `Invalid support status and should be one of ${STATUSES.join(', ')}`,
    );
  const withDescription = flagOf(query, 'with_description');
  return named([...types], name)
    .filter(({ support }) => {
      const has = support?.status ?? 'SUPPORTED';
      if (has === 'HIDDEN' || (status !== undefined && has !== status)) return false;
      return version === undefined || support?.version === version;
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((type) =>
      withDescription ? { resource_type: type.name, description: type.description } : type.name,
    );
}

/** By a regular expression, which a name begins with; none by what is no such expression. */
function named(types: readonly ResourceType[], pattern: string | undefined): ResourceType[] {
  if (pattern === undefined) return [...types];
  try {
    const names = types.map(({ name }) => name);
    const isNamed = beginningsWithinLimit(pattern, names, MATCH_LIMIT);
    return types.filter((_, at) => isNamed[at]);
  } catch (error) {
    if (error instanceof PatternFault) return [];
    throw error;
  }
}
