/**
 * Converts nodes of a YAML document to JSON values.
 *
 * Always holds: the last of duplicate keys counts, anchors are not recursive, and each alias counts
 * as its content. Tags are those of PyYAML's safe loader.
 */
import { isUtf8 } from 'node:buffer';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { isList, isMap as isObject, type Json, type JsonObject } from '../../json/json.js';
import { floatOf, integerOf, isNumeric, textOfNumber, type Numeric } from '../../json/numbers.js';
import type { TemplateSyntaxError } from '../template.errors.js';
import { syntaxError, type TextBudget } from './text-budget.js';

const STANDARD = 'tag:yaml.org,2002:';
const MERGE = '<<';

interface Anchored {
  readonly value: Json;
  readonly nodes: number;
  readonly bytes: number;
  readonly depth: number;
}

export class YamlValues {
  /** The latest value of each anchor; undefined while it is being read. */
  private readonly anchors = new Map<string, Anchored | undefined>();
  /** The depth reached since the innermost anchor was opened. */
  private deepest = 0;

  constructor(
    private readonly text: string,
    private readonly budget: TextBudget,
    private readonly what: string,
  ) {}

  /** @param depth of the surrounding lists and maps */
  valueOf(node: Node | null, depth: number): Json {
    if (node === null) return null;
    if (isAlias(node)) return this.anchored(node, depth);
    const { anchor } = node as { readonly anchor?: string };
    if (anchor === undefined) return this.plainValueOf(node, depth);
    this.anchors.set(anchor, undefined);
    const before = this.budget.spent;
    const outside = this.deepest;
    this.deepest = depth;
    const value = this.plainValueOf(node, depth);
    this.anchors.set(anchor, {
      value,
      nodes: this.budget.spent.nodes - before.nodes,
      bytes: this.budget.spent.bytes - before.bytes,
      depth: this.deepest - depth,
    });
    this.deepest = Math.max(outside, this.deepest);
    return value;
  }

  private anchored(node: Alias, depth: number): Json {
    const known = this.anchors.get(node.source);
    if (known === undefined)
      throw this.wrong(
        node,
        this.anchors.has(node.source)
          ? `the anchor "${node.source}" is within itself`
          : `the alias "${node.source}" has no anchor`,
      );
    this.reached(depth + known.depth);
    this.budget.addAlias(known.nodes, known.bytes);
    return known.value;
  }

  private plainValueOf(node: Node, depth: number): Json {
    this.budget.addNodes(1);
    if (isScalar(node)) return this.scalar(node);
    this.reached(depth + 1);
    if (isSeq<Node | null>(node)) {
      const pairs =
        this.tagOf(node) === `${STANDARD}omap` || this.tagOf(node) === `${STANDARD}pairs`;
      if (!pairs) this.allowTag(node, 'seq');
      const items = node.items.map((item) => this.valueOf(item, depth + 1));
      return pairs ? items.map((item) => this.pairOf(node, item)) : items;
    }
    if (isMap<Node, Node | null>(node)) {
      if (this.tagOf(node) === `${STANDARD}set`) return Object.keys(this.mapOf(node, depth + 1));
      this.allowTag(node, 'map');
      return this.mapOf(node, depth + 1);
    }
    throw this.wrong(node, 'not a value');
  }

  private reached(depth: number): void {
    this.budget.checkDepth(depth);
    this.deepest = Math.max(this.deepest, depth);
  }

  private mapOf(map: YAMLMap<Node, Node | null>, depth: number): JsonObject {
    const entries = new Map<string, Json>();
    const merged: (readonly [string, Json])[] = [];
    for (const { key, value } of map.items) {
      const name = this.keyOf(key);
      if (name === MERGE && isScalar(key) && key.type === 'PLAIN') {
        for (const entry of this.mergedBy(key, this.valueOf(value, depth))) {
          merged.push(entry);
        }
        continue;
      }
      entries.set(name, this.valueOf(value, depth));
    }
    // Of merged maps, earlier ones take precedence, and the map's own entries over all.
    for (const [name, value] of merged) {
      if (!entries.has(name)) entries.set(name, value);
    }
    return Object.fromEntries(entries);
  }

  /** For ordered maps: `- a: 1` is `[a, 1]`. */
  private pairOf(node: Node, item: Json): Json {
    const [pair, ...others] = isObject(item) ? Object.entries(item) : [];
    if (pair === undefined || others.length > 0)
      throw this.wrong(node, '!!pairs must be a list of maps with one key each');
    return [...pair];
  }

  private mergedBy(key: Node, value: Json): (readonly [string, Json])[] {
    const maps = isList(value) ? value : [value];
    return maps.flatMap((one) => {
      if (!isObject(one)) throw this.wrong(key, 'what "<<" merges is not a map');
      const entries = Object.entries(one);
      this.budget.addNodes(entries.length);
      return entries;
    });
  }

  private keyOf(key: Node): string {
    const value = isScalar(key) || isAlias(key) ? this.valueOf(key, 0) : undefined;
    if (value === undefined || isList(value) || isObject(value))
      throw this.wrong(key, 'a key is not a scalar');
    return isNumeric(value) ? textOfNumber(value) : String(value);
  }

  private scalar(node: Scalar): Json {
    const source = String(node.value);
    this.budget.addBytes(Buffer.byteLength(source));
    switch (this.tagOf(node)) {
      case undefined:
        return node.type === 'PLAIN' ? plainScalar(source) : source;
      case '!':
      case `${STANDARD}str`:
      case `${STANDARD}timestamp`:
        return source;
      case `${STANDARD}int`:
      case `${STANDARD}float`: {
        const number = numberIn(source);
        if (number === undefined) throw this.wrong(node, `"${source}" is not a number`);
        return number;
      }
      case `${STANDARD}binary`:
        return this.textIn(node, source);
      case `${STANDARD}bool`:
      case `${STANDARD}null`:
        return plainScalar(source);
      default:
        throw this.unknownTag(node);
    }
  }

  /** Templates contain texts, so binary data must be UTF-8. */
  private textIn(node: Scalar, base64: string): string {
    const bytes = Buffer.from(base64, 'base64');
    if (!isUtf8(bytes)) throw this.wrong(node, '!!binary must be UTF-8 text');
    return bytes.toString();
  }

  private allowTag(node: Node, kind: string): void {
    const tag = this.tagOf(node);
    if (tag !== undefined && tag !== '!' && tag !== STANDARD + kind) throw this.unknownTag(node);
  }

  private tagOf(node: Node): string | undefined {
    return (node as { readonly tag?: string }).tag;
  }

  private unknownTag(node: Node): TemplateSyntaxError {
    return this.wrong(node, `the tag "${this.tagOf(node) ?? ''}" is not known here`);
  }

  private wrong(node: Node, reason: string): TemplateSyntaxError {
    return syntaxError(this.what, this.text, node.range?.[0] ?? 0, reason);
  }
}

const TRUE = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/u;
const FALSE = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/u;
const NULL = /^(?:~|null|Null|NULL|)$/u;
const BINARY = /^([-+]?)0b([01_]+)$/u;
const OCTAL = /^([-+]?)0([0-7_]+)$/u;
const HEXADECIMAL = /^([-+]?)0x([0-9a-fA-F_]+)$/u;
const DECIMAL = /^([-+]?)(0|[1-9][0-9_]*)$/u;
const SIXTIES = /^([-+]?)([0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/u;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/u;

/**
 * Plain scalars of YAML 1.1: `yes` is a boolean, `0644` is octal, and `12:30` is sexagesimal. Dates
 * stay texts, so that `heat_template_version: 2021-04-16` needs no quotes.
 * Public source: YAML 1.1, "Language-Independent Types".
 *
 * @param source as in the text, without quotes.
 */
export function plainScalar(source: string): Json {
  if (NULL.test(source)) return null;
  // Most scalars begin with a letter that starts few of these words and no number.
  if (TRUE.test(source)) return true;
  if (FALSE.test(source)) return false;
  return numberIn(source) ?? source;
}

/** A number in any notation; undefined for another scalar, a text for a number beyond the limits. */
export function numberIn(source: string): Numeric | string | undefined {
  if (!/^[-+.0-9]/u.test(source)) return undefined;
  return integerIn(source) ?? floatIn(source);
}

function integerIn(source: string): number | bigint | string | undefined {
  for (const [pattern, prefix] of [
    [DECIMAL, ''],
    [BINARY, '0b'],
    [HEXADECIMAL, '0x'],
    [OCTAL, '0o0'],
  ] as const) {
    const [, sign, digits] = pattern.exec(source) ?? [];
    const number = digits === undefined ? '' : prefix + digits.replaceAll('_', '');
    if (number !== '' && !Number.isNaN(Number(number)))
      return integerOf(number, sign === '-') ?? source;
  }
  return undefined;
}

function floatIn(source: string): Numeric | string | undefined {
  if (FLOAT.test(source)) return floatOf(Number(source.replaceAll('_', ''))) ?? source;
  const [, sign, parts] = SIXTIES.exec(source) ?? [];
  // Sexagesimal numbers have no leading zero unless they have a point: `00:30` is a text.
  if (parts === undefined || (parts.startsWith('0') && !parts.includes('.'))) return undefined;
  const value = parts
    .replaceAll('_', '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  const signed = sign === '-' ? -value : value;
  if (parts.includes('.')) return floatOf(signed) ?? source;
  return Number.isSafeInteger(signed) ? signed : source;
}
