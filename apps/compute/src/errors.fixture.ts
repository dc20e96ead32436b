/** Expectations of all answers, and of all errors. */
import { expect } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';

/** Every answer carries its request ID three times, errors too. */
export function expectCorrelated({ headers }: TestResponse): void {
  const id = headers.get('x-platform-request-id');
  expect(id).toMatch(/^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(headers.get('x-openstack-request-id')).toBe(id);
  expect(headers.get('x-compute-request-id')).toBe(id);
}

export function expectError(
  response: TestResponse,
  status: number,
  key: string,
  message: string | RegExp,
): void {
  expect([response.status, response.body]).toEqual([
    status,
    {
      [key]: {
        code: status,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    },
  ]);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expectCorrelated(response);
}
