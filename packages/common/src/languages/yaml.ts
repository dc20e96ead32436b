/**
 * Writes YAML documents for readers of version 1.1 and 1.2. Public source: YAML 1.1, "5.1.
 * Character Set" and "7.3.1. Double Quoted Style"; its type repository, in which `no`, `012` and
 * `2026-01-01` are not strings. Pure.
 *
 * Always holds: every string is quoted as in JSON, on one line, so that all readers read it as that
 * string.
 */
import { types } from 'node:util';
import type { Code } from './code.js';

export type Yaml = Code<'yaml'>;

/** A float, which always has a decimal point. */
interface BoxedNumber {
  valueOf(): number;
}

/** Undefined values are left out. */
export type YamlTree =
  | string
  | number
  | bigint
  | BoxedNumber
  | boolean
  | null
  | undefined
  | readonly YamlTree[]
  | { readonly [key: string]: YamlTree };

/** @throws RangeError for a number that is not finite */
export function yamlDocument(tree: YamlTree): Yaml {
  return `${node(tree, '')}\n`.replace(/^[\n ]/, '') as Yaml;
}

/** A text as a value. */
export function yamlText(text: string): Yaml {
  return JSON.stringify(text).replaceAll(UNPRINTABLE, escaped) as Yaml;
}

/** Characters that JSON leaves plain but YAML cannot have. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][\w-]*$/i;

/** @returns the text after the colon of a key or the hyphen of an item */
function node(tree: YamlTree, indent: string): string {
  if (tree === null || tree === undefined) return ' null';
  if (typeof tree === 'string') return ` ${yamlText(tree)}`;
  if (typeof tree === 'number') return ` ${numberOf(tree)}`;
  if (typeof tree === 'bigint') return ` ${tree}`;
  if (isBoxed(tree)) return ` ${floatOf(tree.valueOf())}`;
  if (typeof tree === 'boolean') return ` ${String(tree)}`;
  const deeper = `${indent}  `;
  if (isList(tree)) {
    const items = tree.map((one) => `\n${indent}-${nested(one, deeper)}`);
    return items.length === 0 ? ' []' : items.join('');
  }
  const members = Object.entries(tree).filter(([, value]) => value !== undefined);
  if (members.length === 0) return ' {}';
  return members
    .map(
      ([key, value]) =>
        `\n${indent}${PLAIN_KEY.test(key) ? key : yamlText(key)}:${node(value, deeper)}`,
    )
    .join('');
}

/** The first line of an item follows its hyphen. */
function nested(tree: YamlTree, indent: string): string {
  return node(tree, indent).replace(new RegExp(`^\\n${indent}`), ' ');
}

function isBoxed(tree: YamlTree): tree is BoxedNumber {
  return typeof tree === 'object' && types.isNumberObject(tree);
}

function isList(tree: YamlTree): tree is readonly YamlTree[] {
  return Array.isArray(tree);
}

/** YAML 1.1 reads an exponent without a point as a string. */
function numberOf(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number in YAML here`);
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

function floatOf(value: number): string {
  return numberOf(value).replace(/^-?\d+$/, '$&.0');
}
