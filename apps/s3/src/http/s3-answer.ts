/**
 * Answers of operations. A long operation sends white space at once and repeatedly, so that neither
 * client nor proxies time out. Public source: Amazon S3 API reference, CopyObject and
 * CompleteMultipartUpload: 200, white space, and in the end the document, which may be an error.
 */
import { Readable } from 'node:stream';
import type { Code } from '@cumulet/common/languages/code';
import { setTimeout as after } from 'node:timers/promises';
import { writeXml, type Xml, type XmlTree, DECLARATION, withoutDeclaration } from './xml.js';

/** Pages of websites (`website/error-page.ts`). */
export type Html = Code<'html'>;

export interface S3Answer {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A stream needs a Content-Length among the headers. */
  readonly body?: Xml | Html | '' | Readable;
  /** The code of a failure, for access logs. */
  readonly errorCode?: string;
  /** Work in progress, whose document is sent when it is done. */
  readonly rest?: Promise<S3Answer>;
}

/** @param root the outermost element: `ListBucketResult` */
export function xmlAnswer(
  root: string,
  tree: XmlTree,
  answer: Omit<S3Answer, 'body'> = {},
): S3Answer {
  return {
    ...answer,
    headers: { 'content-type': 'application/xml', ...answer.headers },
    body: writeXml(root, tree),
  };
}

export const NO_CONTENT: S3Answer = { status: 204 };

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
  // The sender of the answer handles the failure.
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
