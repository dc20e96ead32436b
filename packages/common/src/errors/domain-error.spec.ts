import { describe, expect, it } from '@jest/globals';
import { DomainError, errorOf, InvalidInputError, invalid, notFound } from './domain-error.js';

class PortNotFoundError extends notFound((id: string) => `Port ${id} could not be found.`) {}
class BusyError extends errorOf('unavailable', 'It is busy.', { retryAfter: 5 }) {}
class BadNameError extends invalid((name: string) => `${name} is too long.`) {}

describe('errorOf', () => {
  it('makes a class of its own name, with the message of what it is made with', () => {
    const error = new PortNotFoundError('p');
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      name: 'PortNotFoundError',
      kind: 'not-found',
      message: 'Port p could not be found.',
    });
  });

  it('takes a message that is always the same, and options', () => {
    expect(new BusyError()).toMatchObject({ message: 'It is busy.', retryAfter: 5 });
  });

  it('makes what is invalid an InvalidInputError', () => {
    const error = new BadNameError('name');
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ kind: 'invalid', message: 'name is too long.' });
  });
});
