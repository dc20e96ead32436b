import { describe, expect, it } from '@jest/globals';
import { acceptsJson, contentTypeOf, wantedType } from './content-types.js';

describe('contentTypeOf', () => {
  it.each([
    ['text/plain', 'text/plain'],
    ['Text/Plain;charset=UTF-8', 'text/plain'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['application/octet-stream', 'application/octet-stream'],
    ['application/pkcs8', 'application/pkcs8'],
  ])('takes %s', (text, type) => expect(contentTypeOf(text)).toBe(type));

  it.each(['', 'text/plain; charset=latin-1', 'text/plain; x', 'text/html', 'application/json'])(
    'does not take %j',
    (text) => expect(contentTypeOf(text)).toBeUndefined(),
  );
});

describe('wantedType', () => {
  it.each([
    [undefined, 'text/plain'],
    ['', 'text/plain'],
    ['*/*', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/plain; charset=utf-8', 'text/plain'],
    ['application/octet-stream', 'application/octet-stream'],
    ['text/html, application/octet-stream;q=0.5, text/plain;q=0.9', 'text/plain'],
    ['text/plain;q=0, application/pkcs8', 'application/pkcs8'],
    ['text/html', undefined],
    ['application/json', undefined],
    ['text/plain; charset=latin-1', undefined],
  ])('of %j for a text is %s', (header, type) =>
    expect(wantedType(header, 'text/plain')).toBe(type),
  );
});

it.each([
  [undefined, true],
  ['application/json', true],
  ['*/*', true],
  ['text/html, */*;q=0.1', true],
  ['text/plain', false],
  ['application/octet-stream', false],
  ['application/json;q=0, text/plain', false],
])('Accept: %j wants JSON: %s', (header, isJson) => expect(acceptsJson(header)).toBe(isJson));
