import { describe, expect, it } from '@jest/globals';
import {
  DomainError,
  InvalidInputError,
  UnavailableError,
  type ErrorKind,
} from '../errors/domain-error.js';
import { outerKey, toProblem } from './error-envelope.js';

describe('outerKey', () => {
  it.each([
    [400, 'badRequest'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'itemNotFound'],
    [405, 'methodNotAllowed'],
    [406, 'notAcceptable'],
    [409, 'conflictingRequest'],
    [410, 'gone'],
    [411, 'lengthRequired'],
    [412, 'preconditionFailed'],
    [413, 'overLimit'],
    [415, 'unsupportedMediaType'],
    [416, 'rangeNotSatisfiable'],
    [429, 'tooManyRequests'],
    [500, 'internalServerError'],
    [501, 'notImplemented'],
    [503, 'serviceUnavailable'],
  ])('of %i is %s', (status, key) => {
    expect(outerKey(status)).toBe(key);
  });
});

describe('toProblem', () => {
  it.each<[ErrorKind, number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['quota-exceeded', 403],
    ['not-found', 404],
    ['method-not-allowed', 405],
    ['not-acceptable', 406],
    ['conflict', 409],
    ['gone', 410],
    ['length-required', 411],
    ['precondition-failed', 412],
    ['too-large', 413],
    ['quota-exhausted', 413],
    ['unsupported-media-type', 415],
    ['range-not-satisfiable', 416],
    ['rate-limited', 429],
    ['bug', 500],
    ['unsupported', 501],
    ['transient', 503],
    ['unavailable', 503],
  ])('%s is %i', (kind, status) => {
    expect(toProblem(new DomainError(kind, 'x'), 'req-1').status).toBe(status);
  });

  it('names the class without its suffix', () => {
    expect(toProblem(new InvalidInputError('x'), 'req-1')).toMatchObject({
      type: 'InvalidInput',
      title: 'Bad Request',
      message: 'x',
      requestId: 'req-1',
    });
  });

  it.each([
    ['an unknown error', new Error('password=hunter2')],
    ['a bug of ours', new DomainError('bug', 'password=hunter2')],
    ['what is no error', 'password=hunter2'],
  ])('tells nothing of %s', (_, error) => {
    const problem = toProblem(error, 'req-1');
    expect(problem.status).toBe(500);
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it('hides the cause', () => {
    const error = new InvalidInputError('x', { cause: new Error('hunter2') });
    expect(JSON.stringify(toProblem(error, 'req-1'))).not.toContain('hunter2');
  });

  it('has the retry time', () => {
    expect(toProblem(new UnavailableError('x'), 'req-1').retryAfter).toBe(5);
  });
});
