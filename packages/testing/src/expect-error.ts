/** Error bodies of services, which differ in form only. */
import { STATUS_CODES } from 'node:http';
import { expect } from '@jest/globals';
import { ERROR_MEDIA_TYPE, type ErrorForm } from '@cumulet/common/http/error-envelope';
import type { TestResponse } from './http-client.js';

export const REQUEST_ID = /^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Placeholders for the fields of a problem in a body that is text. */
const PLACES = { message: 'place-of-message', type: 'place-of-type', requestId: 'place-of-id' };

/**
 * Expects an error in the form of the service, without internals.
 * @param message of the error, or a matcher of it
 */
export function expectError(
  { status, body, text, headers }: TestResponse,
  expected: number,
  { envelope, errorMediaType = ERROR_MEDIA_TYPE }: ErrorForm,
  message: unknown,
): void {
  const fields = {
    message: message as string,
    type: expect.any(String) as unknown as string,
    requestId: expect.stringMatching(REQUEST_ID) as unknown as string,
  };
  const rest = { status: expected, title: STATUS_CODES[expected] ?? '', retryAfter: undefined };
  const form = envelope({ ...rest, ...PLACES });
  const isText = typeof form === 'string';
  expect([status, isText ? fieldsIn(text, form) : body]).toEqual([
    expected,
    isText ? fields : envelope({ ...rest, ...fields }),
  ]);
  expect(headers.get('Content-Type')?.split(';', 1)).toEqual([errorMediaType]);
  expect(text).not.toMatch(isText ? /stack|node_modules|SELECT/ : /<|stack|node_modules|SELECT/);
}

/** @returns the fields of the form; undefined if the text has another form */
function fieldsIn(text: string, form: string): object | undefined {
  let pattern = form.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  for (const [name, place] of Object.entries(PLACES))
    // In other places, the same again.
    pattern = pattern.replace(place, `(?<${name}>[^<]*)`).replaceAll(place, `\\k<${name}>`);
  const found = new RegExp(`^${pattern}$`).exec(text);
  return found?.groups && { ...found.groups };
}
