import { describe, expect, it } from '@jest/globals';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { UnavailableError } from '../errors/domain-error.js';
import { createLogger } from './logger.js';

/** One line as it is written. */
function logged(bindings: object): string {
  const lines: string[] = [];
  const logger = createLogger('compute', 'info', { write: (line) => lines.push(line) });
  logger.info(bindings, 'happened');
  return lines.join('');
}

describe('a log line', () => {
  it('is JSON with the service, the level in words and the time', () => {
    expect(JSON.parse(logged({ a: 1 }))).toEqual({
      level: 'info',
      service: 'compute',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      a: 1,
      msg: 'happened',
    });
  });

  it.each([
    { request: { headers: { 'x-auth-token': 'hunter2' } } },
    { request: { headers: { 'x-subject-token': 'hunter2' } } },
    { request: { headers: { authorization: 'hunter2' } } },
    { body: { password: 'hunter2' } },
    { config: { secret: 'hunter2' } },
    { fields: { token: 'hunter2' } },
    { err: Object.assign(new Error('x'), { parameters: ['hunter2'] }) },
    { err: Object.assign(new Error('x'), { detail: 'Failing row contains (hunter2).' }) },
    { err: Object.assign(new Error('x'), { where: 'portal "hunter2"' }) },
    {
      err: Object.assign(new Error('x'), {
        driverError: Object.assign(new Error('x'), { detail: 'Key (name)=(hunter2) exists.' }),
      }),
    },
  ])('never holds what is secret: %p', (bindings) => {
    expect(logged(bindings)).not.toContain('hunter2');
  });

  it('contains the cause of an error', () => {
    const err = new UnavailableError('The database is away.', {
      cause: new Error('connect ECONNREFUSED'),
    });
    expect(logged({ err })).toContain('connect ECONNREFUSED');
  });
});

it('a logged value stays in its line and field', () => {
  const lines: string[] = [];
  const logger = createLogger('compute', 'info', { write: (line) => lines.push(line) });
  forAllOf(fc.tuple(storableText, storableText), ([text, key]) => {
    lines.length = 0;
    logger.info({ name: text, list: [text], inner: { [key]: text } }, text);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.split('\n')).toHaveLength(2);
    const inner = { [key]: text };
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      name: text,
      list: [text],
      msg: text,
      inner,
    });
  });
});
