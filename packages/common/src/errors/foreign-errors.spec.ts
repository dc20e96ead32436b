import { BadRequestException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { ForbiddenError } from './domain-error.js';
import { fromForeign, isOurFault } from './foreign-errors.js';

function failure(message: string, properties: object): Error {
  return Object.assign(new Error(message), properties);
}

describe('fromForeign', () => {
  it.each([
    ['a refused connection', failure('connect', { code: 'ECONNREFUSED', syscall: 'connect' })],
    ['a missing socket', failure('connect', { code: 'ENOENT', syscall: 'connect' })],
    ['a database that shuts down', failure('x', { code: '57P01' })],
    ['too many connections', failure('x', { code: '53300' })],
    ['a connection cut half way', failure('Connection terminated unexpectedly', {})],
    ['a pool without a free one', failure('timeout exceeded when trying to connect', {})],
  ])('takes %s for a database out of reach', (_, error) => {
    expect(fromForeign(error)).toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });

  it.each(['40P01', '40001'])('treats %s as retryable', (code) => {
    const error = fromForeign(failure('deadlock detected', { code }));
    expect(error).toMatchObject({ kind: 'transient', retryAfter: 1 });
  });

  it.each([
    ['53100', 'The database of the service has no space left at present.'],
    ['25006', 'The database of the service is read-only at present.'],
  ])('treats %s as what goes once an operator mends it', (code, message) => {
    const error = failure('could not extend file "base/1/2"', { code });
    expect(fromForeign(error)).toMatchObject({ kind: 'unavailable', retryAfter: 5, message });
  });

  it('does not mistake a disconnected caller for the database', () => {
    const error = fromForeign(failure('aborted', { code: 'ECONNRESET' }));
    expect([error, isOurFault(error)]).toEqual([
      expect.objectContaining({ name: 'RequestCutOffError', kind: 'invalid' }),
      false,
    ]);
  });

  it('does not mistake a missing file for the database', () => {
    const error = failure('open', { code: 'ENOENT', syscall: 'open' });
    expect(fromForeign(error)).toBe(error);
  });

  it.each([
    [413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'too-large'],
    [415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported-media-type'],
    [400, 'FST_ERR_CTP_EMPTY_JSON_BODY', 'invalid'],
  ])("takes Fastify's %i over", (statusCode, code, kind) => {
    expect(fromForeign(failure('x', { code, statusCode }))).toMatchObject({ kind });
  });

  it("keeps Nest's 400", () => {
    expect(fromForeign(new BadRequestException('no JSON'))).toMatchObject({
      kind: 'invalid',
      message: 'no JSON',
    });
  });

  it('treats a character that Postgres cannot store as bad input', () => {
    expect(fromForeign(failure('invalid byte sequence', { code: '22021' }))).toMatchObject({
      kind: 'invalid',
    });
  });

  it('returns unknown errors unchanged', () => {
    const error = failure('x', { code: '23505', statusCode: 400 });
    expect(fromForeign(error)).toBe(error);
  });
});

it('faults of the caller are not logged for the operator', () => {
  expect(isOurFault(new ForbiddenError('x'))).toBe(false);
  expect(isOurFault(new Error('x'))).toBe(true);
  expect(isOurFault(new ForbiddenError('x', { forOperator: true }))).toBe(true);
});
