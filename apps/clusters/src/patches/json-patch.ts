/**
 * Parses and applies patches: a `{op, path, value}` object, or a list of them. Pure. Public source:
 * Container Infrastructure Management API reference, "Update information of cluster"; RFC 6902, of
 * which Magnum supports add, replace and remove.
 */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isStorable } from '@cumulet/common/database/storable';
import { pythonLiteral } from './python-literal.js';

export interface Change {
  readonly op: 'add' | 'replace' | 'remove';
  /** The attribute, then the key within it: `labels`, `kube_tag`. */
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
}

export type Document = Readonly<Record<string, unknown>>;

export interface PatchRules {
  /** Attributes that clients cannot change. */
  readonly internal: readonly string[];
  /** Attributes that cannot be removed. */
  readonly mandatory?: readonly string[];
  /** Attributes that accept Python literals, as Magnum's client sends them. */
  readonly structured?: readonly string[];
  /** Values of removed attributes; null by default. */
  readonly defaults?: Document;
}

const OPERATIONS = ['add', 'replace', 'remove'] as const;
const PATH = /^(\/[\w.~-]+)+$/;
const MAX_CHANGES = 1_000;
const ALWAYS_INTERNAL = [
  'created_at',
  'id',
  'links',
  'updated_at',
  'uuid',
  'project_id',
  'user_id',
];

export class InvalidPatchError extends InvalidInputError {}

/** @throws InvalidPatchError naming the invalid change */
export function changesOf(body: unknown): Change[] {
  const list: unknown[] = Array.isArray(body) ? body : [body];
  if (list.length === 0 || list.length > MAX_CHANGES)
    throw new InvalidPatchError(`A patch has 1 to ${MAX_CHANGES} changes, not ${list.length}.`);
  return list.map(changeOf);
}

function changeOf(one: unknown, at: number): Change {
  const where = `Change ${at + 1} of the patch`;
  if (typeof one !== 'object' || one === null || Array.isArray(one))
    throw new InvalidPatchError(`${where} must be an object with op, path and value.`);
  const { op, path, value, ...rest } = one as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new InvalidPatchError(`${where} has '${unknown}', but only op, path and value count.`);
  const operation = OPERATIONS.find((known) => known === op);
  if (!operation)
    throw new InvalidPatchError(`${where} must have an op of ${OPERATIONS.join(', ')}.`);
  if (typeof path !== 'string' || !PATH.test(path) || path.length > 512)
    throw new InvalidPatchError(`${where} must have a path such as /name or /labels/key.`);
  if (operation !== 'remove' && value === undefined)
    throw new InvalidPatchError(`${where} needs a value, as each 'add' and 'replace' does.`);
  const [, first = '', ...others] = path.split('/').map(unescaped);
  return { op: operation, path: [first, ...others], value };
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @throws InvalidPatchError naming the path that cannot be changed */
export function patched(
  document: Document,
  changes: readonly Change[],
  rules: PatchRules,
): Document {
  return changes.reduce((now, change) => withChange(now, change, rules), document);
}

function withChange(document: Document, change: Change, rules: PatchRules): Document {
  const { op, path } = change;
  const [name, ...within] = path;
  const shown = `/${path.join('/')}`;
  if (ALWAYS_INTERNAL.includes(name) || rules.internal.includes(name))
    throw new InvalidPatchError(`'${shown}' is an internal attribute and can not be updated.`);
  if (!Object.hasOwn(document, name))
    throw new InvalidPatchError(`There is no attribute '${shown}' to ${op}.`);
  if (within.length > 0) return { ...document, [name]: withMember(document[name], change, shown) };
  if (op === 'remove') {
    if (rules.mandatory?.includes(name))
      throw new InvalidPatchError(`'${shown}' is a mandatory attribute and can not be removed.`);
    return { ...document, [name]: rules.defaults?.[name] ?? null };
  }
  if (op === 'add' && document[name] !== null && !isEmptyMap(document[name]))
    throw new InvalidPatchError(
      `The attribute ${shown} has a value already; please use 'replace' instead.`,
    );
  const isStructured = rules.structured?.includes(name) ?? false;
  return { ...document, [name]: isStructured ? structured(change.value, shown) : change.value };
}

function withMember(map: unknown, { op, path, value }: Change, shown: string): Document {
  const [, key, ...deeper] = path;
  if (key === undefined || deeper.length > 0 || !isMap(map))
    throw new InvalidPatchError(`There is nothing at '${shown}' to ${op}.`);
  if (op !== 'add' && !Object.hasOwn(map, key))
    throw new InvalidPatchError(`There is nothing at '${shown}' to ${op}.`);
  if (!isStorable(key)) throw new InvalidPatchError(`'${shown}' is not a valid name.`);
  const { [key]: _former, ...others } = map;
  return op === 'remove' ? others : { ...others, [key]: value };
}

function structured(value: unknown, shown: string): unknown {
  if (typeof value !== 'string') return value;
  const parsed = pythonLiteral(value);
  if (parsed === undefined)
    throw new InvalidPatchError(`The value of '${shown}' is neither JSON nor a Python literal.`);
  return parsed;
}

export function changedIn(before: Document, after: Document): string[] {
  return Object.keys(after).filter((name) => !isSame(before[name], after[name]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Sorts keys, so that their order does not matter. */
function sorted(value: unknown): unknown {
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isMap(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyMap(value: unknown): boolean {
  return isMap(value) && Object.keys(value).length === 0;
}
