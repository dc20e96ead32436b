import { describe, expect, it } from '@jest/globals';
import {
  excessOfRequest,
  parseQuery,
  MAX_HEADERS,
  MAX_NAMES,
  MAX_PARAMETERS,
} from './request-bounds.js';

const excessOf = (url: string, headers = 0) =>
  excessOfRequest({ url, rawHeaders: Array<string>(2 * headers).fill('x') });

const query = (count: number, one: (at: number) => string): string =>
  `/v2.0/ports?${Array.from({ length: count }, (_, at) => one(at)).join('&')}`;

describe('a request', () => {
  it.each([
    ['no query', `/v2.0/ports/${'p'.repeat(5_000)}`],
    ['as many parameters as may be', query(MAX_PARAMETERS, (at) => `id=${at}`)],
    ['as many names', query(MAX_NAMES, (at) => `n${at}=1`)],
    ['names without values', query(MAX_NAMES, (at) => `name${at}`)],
    ['a long value', query(1, () => `name=${'?'.repeat(5_000)}`)],
  ])('may have %s', (_, url) => {
    expect(excessOf(url, MAX_HEADERS)).toBeUndefined();
  });

  it('is not parsed beyond its bounds', () => {
    expect(parseQuery('name=a&name=b%20c&limit=1')).toEqual({ name: ['a', 'b c'], limit: '1' });
    expect(parseQuery('')).toEqual({});
    const query = (names: number): string =>
      Array.from({ length: names }, (_, at) => `n${at}=1`).join('&');
    expect(Object.keys(parseQuery(query(MAX_NAMES)))).toHaveLength(MAX_NAMES);
    expect(parseQuery(query(MAX_NAMES + 1))).toEqual({});
  });

  it('must not have too many parameters, names or headers', () => {
    const parameters = query(MAX_PARAMETERS + 1, (at) => `id=${at}`);
    expect(excessOf(parameters)).toBe('The query has more than 500 parameters.');
    const names = query(MAX_NAMES + 1, (at) => `n${at}=1`);
    expect(excessOf(names)).toBe('The query has parameters of more than 100 different names.');
    expect(excessOf('/', MAX_HEADERS + 1)).toBe('The request has more than 500 headers.');
  });
});
