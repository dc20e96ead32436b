/**
 * Answers of operations that may take long. Whoever waits for one that does hears at once that it
 * goes on, and then again and again, so that nothing between gives the connection up. Public source:
 * Amazon S3 API reference, CopyObject and CompleteMultipartUpload: 200, white space, and in the end
 * the document, which may be an error.
 */
import { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import type { S3Answer } from './s3-answer.js';
import { DECLARATION, withoutDeclaration, type Xml } from './xml.js';

/**
 * @param ms after which the answer is late
 * @param isWaiting whether it is the client that waits, and not its request that still comes
 * @returns the answer, or one whose `rest` it is
 * @throws whatever the work fails with in time
 */
export async function inTime(
  work: Promise<S3Answer>,
  ms: number,
  isWaiting: () => boolean,
): Promise<S3Answer> {
  // Who sends the answer gets the failure too.
  work.catch(() => undefined);
  for (;;) {
    const answer = await orNothing(work, ms);
    if (answer) return answer;
    if (isWaiting()) return { headers: { 'content-type': 'application/xml' }, rest: work };
  }
}

/**
 * @param rest never fails
 * @param ms between two signs of life
 * @returns the document, behind white space
 */
export function lateBody(rest: Promise<S3Answer>, ms: number): Readable {
  return Readable.from(pieces(rest, ms), { objectMode: false });
}

async function* pieces(rest: Promise<S3Answer>, ms: number): AsyncGenerator<Xml | ' '> {
  yield DECLARATION;
  for (;;) {
    const answer = await orNothing(rest, ms);
    yield answer ? documentOf(answer) : ' ';
    if (answer) return;
  }
}

function documentOf({ body }: S3Answer): Xml | ' ' {
  return typeof body === 'string' ? withoutDeclaration(body as Xml) : ' ';
}

/** @returns undefined if it takes longer */
async function orNothing<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const isDone = new AbortController();
  const { signal } = isDone;
  try {
    return await Promise.race([work, after(ms, undefined, { ref: false, signal })]);
  } finally {
    isDone.abort();
  }
}
