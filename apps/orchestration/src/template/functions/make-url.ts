import { textOf } from '../../json/texts.js';
import { stringifyExact } from '../../json/exact-json.js';
import { isList, isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import type { Expression } from '../expression.js';
import { isFloat } from '../../json/numbers.js';
import { computed, mayBeMap, siteError, type Site } from './template-function.js';
import { indexOf } from './value-path.js';

const TEXTS = ['scheme', 'username', 'password', 'host', 'path', 'fragment'];
/** Schemes whose URLs have an authority even if it is empty: `file:///etc/hosts`. */
const WITH_AUTHORITY = new Set(
  [
    'ftp',
    'http',
    'https',
    'file',
    'git',
    'git+ssh',
    'imap',
    'nfs',
    'rsync',
    'rtsp',
    'sftp',
    'svn',
  ].concat(['svn+ssh', 'telnet', 'ws', 'wss']),
);
const KEYS = [...TEXTS, 'port', 'query'];

/** Heat template guide, "make_url". */
export const makeUrl = computed({
  description: 'Makes a URL of its parts, with what has to be escaped.',
  check(argument, site) {
    if (!mayBeMap(argument)) throw siteError(site, `The arguments to "${site.name}" must be a map`);
    const unknown = keysOf(argument).filter((key) => !KEYS.includes(key));
    if (unknown.length > 0)
      throw siteError(site, `Invalid arguments to "${site.name}": ${unknown.join(', ')}`);
  },
  compute(argument, site) {
    const parts = isMap(argument) ? argument : {};
    const scheme = textAt(parts, 'scheme', site);
    if (scheme.includes(':')) throw siteError(site, `URL "scheme" should not contain ':'`);
    const authority = credentials(parts, site) + hostOf(parts, site) + portOf(parts, site);
    const path = escaped(textAt(parts, 'path', site), '/');
    const query = queryOf(ownOf(parts, 'query') ?? {}, site);
    const fragment = escaped(textAt(parts, 'fragment', site), '/');
    const hasAuthority = authority !== '' || (WITH_AUTHORITY.has(scheme) && !path.startsWith('//'));
    return [
      scheme === '' ? '' : `${scheme}:`,
      hasAuthority ? `//${authority}${path === '' || path.startsWith('/') ? '' : '/'}` : '',
      path,
      query === '' ? '' : `?${query}`,
      fragment === '' ? '' : `#${fragment}`,
    ].join('');
  },
});

function keysOf(argument: Expression): readonly string[] {
  if (argument.kind === 'map') return Object.keys(argument.entries);
  return argument.kind === 'value' && isMap(argument.value) ? Object.keys(argument.value) : [];
}

function textAt(parts: JsonObject, key: string, site: Site): string {
  const value = ownOf(parts, key);
  if (value !== undefined && typeof value !== 'string')
    throw siteError(site, `The "${key}" argument to "${site.name}" must be a string`);
  return value ?? '';
}

function credentials(parts: JsonObject, site: Site): string {
  const username = escaped(textAt(parts, 'username', site), '');
  const password = escaped(textAt(parts, 'password', site), '');
  if (username === '' && password === '') return '';
  return `${username}${password === '' ? '' : `:${password}`}@`;
}

function hostOf(parts: JsonObject, site: Site): string {
  const host = escaped(textAt(parts, 'host', site).replace(/^\[(.*)\]$/su, '$1'), ':');
  return host.includes(':') ? `[${host}]` : host;
}

function portOf(parts: JsonObject, site: Site): string {
  const port = ownOf(parts, 'port') ?? '';
  if (port === '') return '';
  const number = indexOf(isFloat(port) ? Number(port) : port);
  if (number === undefined)
    throw siteError(site, `Invalid URL port for ${site.name}: it is not a number`);
  if (number < 1 || number > 65_535)
    throw siteError(site, `Invalid URL port ${number}, must be in range 1-65535`);
  return `:${number}`;
}

function queryOf(query: Json, site: Site): string {
  if (!isMap(query)) throw siteError(site, `The "query" argument to "${site.name}" must be a map`);
  const plus = (text: string): string => escaped(text, ' /').replaceAll(' ', '+');
  return Object.entries(query)
    .map(([key, value]) => `${plus(key)}=${plus(queryText(value))}`)
    .join('&');
}

/** Values other than texts in Heat's form. */
function queryText(value: Json): string {
  if (value === null) return 'None';
  return isList(value) || isMap(value) ? stringifyExact(value) : textOf(value);
}

/** RFC 3986, "Percent-Encoding", except for unreserved characters and these. */
function escaped(text: string, safe: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[-A-Za-z0-9_.~]/.test(letter) || safe.includes(letter)
        ? letter
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
