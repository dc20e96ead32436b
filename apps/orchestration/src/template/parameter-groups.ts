/** Heat template guide, "Parameter groups section". */
import { isList, isMap, type Json, type JsonObject } from '../json/json.js';
import { StackValidationFailedError } from './template.errors.js';

/**
 * @param names of the template's parameters
 * @throws StackValidationFailedError for a parameter that is in two groups, or that there is not
 */
export function readParameterGroups(
  section: Json,
  names: ReadonlySet<string>,
): readonly JsonObject[] {
  if (section === null) {
    return [];
  }
  if (!isList(section)) {
    throw wrong('The parameter_groups should be a list.', 'parameter_groups');
  }
  const grouped = new Set<string>();
  return section.map((group, index) => {
    const path = `parameter_groups[${index}]`;
    if (!isMap(group)) {
      throw wrong('A parameter group should be a map.', path);
    }
    for (const name of namesIn(group, path)) {
      if (grouped.has(name)) {
        throw wrong(`The ${name} parameter must be assigned to one parameter group only.`, path);
      }
      if (!names.has(name)) {
        throw wrong(`The grouped parameter ${name} does not reference a valid parameter.`, path);
      }
      grouped.add(name);
    }
    return group;
  });
}

function namesIn({ parameters = null }: JsonObject, path: string): readonly string[] {
  if (parameters === null) {
    throw wrong('The parameters must be provided for each parameter group.', path);
  }
  if (!isList(parameters) || !parameters.every((name) => typeof name === 'string')) {
    throw wrong('The parameters of parameter group should be a list.', path);
  }
  return parameters;
}

function wrong(text: string, path: string): StackValidationFailedError {
  return new StackValidationFailedError(text, path, 'Parameter Groups error');
}
