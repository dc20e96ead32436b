/** The template of a stack, as clients see it. Pure. */
import { isMap, type JsonObject } from '../json/json.js';
import type { ReadParameter } from '../template/read-template.js';

const HIDDEN = '******';
const SECTIONS = ['parameters', 'parameter_defaults'];

/** The environment as given, without the values of hidden parameters. */
export function environmentView(
  environment: JsonObject,
  parameters: readonly Pick<ReadParameter, 'name' | 'hidden'>[],
): JsonObject {
  const hidden = new Set(parameters.filter((one) => one.hidden).map(({ name }) => name));
  const masked = SECTIONS.flatMap((section): [string, JsonObject][] => {
    const values = environment[section];
    if (!isMap(values)) return [];
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      hidden.has(name) ? HIDDEN : value,
    ]);
    return [[section, Object.fromEntries(shown) as JsonObject]];
  });
  return { ...environment, ...Object.fromEntries(masked) };
}
