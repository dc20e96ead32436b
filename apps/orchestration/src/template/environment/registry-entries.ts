/**
 * What a resource registry may say: names of types or of templates for names of types, and under
 * `resources` the same, hooks and restricted actions for single resources.
 */
import { stringifyExact } from '../../json/exact-json.js';
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import {
  InvalidBreakPointHookError,
  InvalidRestrictedActionError,
  TemplateError,
} from '../template.errors.js';

export const HOOKS = [
  'pre-create',
  'pre-update',
  'pre-delete',
  'post-create',
  'post-update',
  'post-delete',
];

export const RESTRICTED_ACTIONS = ['update', 'replace'];

/** Keys that list words instead of naming something. */
const WORDS = { hooks: HOOKS, restricted_actions: RESTRICTED_ACTIONS } as const;

export type WordsKey = keyof typeof WORDS;

/**
 * @throws InvalidBreakPointHookError
 * @throws InvalidRestrictedActionError
 * @throws TemplateError for a value that names nothing
 */
export function checkRegistry(registry: JsonObject, path = 'resource_registry'): void {
  for (const [key, value] of Object.entries(registry)) {
    if (isWordsKey(key)) checkWords(key, value);
    else if (isMap(value)) checkRegistry(value, `${path}.${key}`);
    else if (value !== null && typeof value !== 'string')
      throw new TemplateError(`${path}.${key} is not the name of a type or of a template.`);
  }
}

/** Hooks or restricted actions that an entry lists. */
export function wordsAt(entry: JsonObject, key: WordsKey): readonly string[] {
  const value = ownOf(entry, key);
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function isWordsKey(key: string): key is WordsKey {
  return Object.hasOwn(WORDS, key);
}

function checkWords(key: WordsKey, value: Json): void {
  const known: readonly Json[] = WORDS[key];
  const words = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (words.every((word) => known.includes(word))) return;
  const shown = typeof value === 'string' ? value : stringifyExact(value);
  if (key === 'hooks')
    throw new InvalidBreakPointHookError(
      `Invalid hook type "${shown}" for resource breakpoint, acceptable hook types are: ${HOOKS.join(', ')}`,
    );
  throw new InvalidRestrictedActionError(
    `Invalid restricted_action type "${shown}" for resource, acceptable restricted_action types are: ${RESTRICTED_ACTIONS.join(', ')}`,
  );
}
