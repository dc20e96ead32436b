import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { inTime, lateBody, xmlAnswer } from './s3-answer.js';

const answer = xmlAnswer('Result', { A: 'b' });
const LONG = 60_000;
const SOON = 1;

describe('a response', () => {
  it('that is ready in time is returned as it is', async () => {
    expect(await inTime(Promise.resolve(answer), LONG, () => true)).toBe(answer);
  });

  it('that fails in time fails', async () => {
    const failed = Promise.reject(new Error('failed'));
    await expect(inTime(failed, LONG, () => true)).rejects.toThrow('failed');
  });

  it('that is late is streamed after its headers', async () => {
    const work = new Promise<never>(() => undefined);
    const late = await inTime(work, SOON, () => true);
    expect(late).toEqual({ headers: { 'content-type': 'application/xml' }, rest: work });
  });

  it('is not late while its request is still being received', async () => {
    let done: (value: typeof answer) => void = () => undefined;
    const work = new Promise<typeof answer>((resolve) => (done = resolve));
    const found = await inTime(work, SOON, () => {
      done(answer);
      return false;
    });
    expect(found).toBe(answer);
  });

  it('has its XML declaration once', async () => {
    const body = await text(lateBody(Promise.resolve(answer), LONG));
    expect(body).toBe(answer.body);
  });
});
