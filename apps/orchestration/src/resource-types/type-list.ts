/**
 * Which types there are, for whoever asks. Pure. Public source: Orchestration API reference, "List
 * resource types"; heat, `engine/environment.py`, `get_types`.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { PythonPattern } from '../constraints/python-pattern.js';
import { PatternFault } from '../constraints/python-syntax.js';
import { flagOf, type Query } from '../http/query.js';
import type { ResourceType } from './resource-type.js';

const STATUSES = ['UNKNOWN', 'SUPPORTED', 'PROTOTYPE', 'DEPRECATED', 'UNSUPPORTED', 'HIDDEN'];

/**
 * A client's pattern is matched where all requests are answered, so that it is bounded by what it costs:
 * characters of it, and its steps for all characters of all names.
 */
const MAX_PATTERN_LENGTH = 128;
const MAX_STEPS = 2_000_000;

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

/** By a regular expression, which a name begins with; none by what is no such expression, or costs too much. */
function named(types: readonly ResourceType[], pattern: string | undefined): ResourceType[] {
  if (pattern === undefined) return [...types];
  if (pattern.length > MAX_PATTERN_LENGTH) return [];
  try {
    const compiled = new PythonPattern(pattern);
    const characters = types.reduce((sum, { name }) => sum + name.length, 0);
    if (compiled.size * characters > MAX_STEPS) return [];
    return types.filter(({ name }) => compiled.begins(name));
  } catch (error) {
    if (error instanceof PatternFault) return [];
    throw error;
  }
}
