/**
 * The JSON of policies.
 *
 * Always holds: no name comes twice in an object. Of two conditions of one name, a parser would keep
 * the last, and let in whom the first keeps out.
 */
import { S3Error } from '../../http/s3-error.js';

type Json = Readonly<Record<string, unknown>>;

export function malformedPolicy(message: string): S3Error {
  return new S3Error('MalformedPolicy', { message });
}

/** @throws S3Error MalformedPolicy for anything but a JSON object without duplicate names */
export function uniqueJson(text: string): Json {
  if (!text.trimStart().startsWith('{'))
    throw malformedPolicy("Policies must be valid JSON and the first byte must be '{'");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new S3Error('MalformedPolicy', {
      message: 'This policy contains invalid Json',
      cause,
    });
  }
  requireUnique(text);
  if (!isObject(json)) throw malformedPolicy('This policy contains invalid Json');
  return json;
}

/** Tokens that distinguish names from values in valid JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

function requireUnique(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let [last, before] = ['', ''];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    if (token === '[') open.push(undefined);
    if (token === '}' || token === ']') open.pop();
    if (token === ':' && ['{', ','].includes(before)) {
      const names = open.at(-1);
      const name = JSON.parse(last) as string;
      if (names?.has(name)) throw malformedPolicy(`The policy has ${name} twice in one object`);
      names?.add(name);
    }
    [before, last] = [last, token];
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws S3Error MalformedPolicy for an unknown field */
export function requireFields(json: Json, known: readonly string[]): void {
  const other = Object.keys(json).find((name) => !known.includes(name));
  if (other !== undefined) throw malformedPolicy(`Unknown field ${other}`);
}

export function textOf(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw malformedPolicy(`${field} must be a string`);
}

/** One text, or a list of some. */
export function listOf(value: unknown, field: string): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw malformedPolicy(`${field} must not be empty`);
  return list.map((one) => textOf(one, field));
}
