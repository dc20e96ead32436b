/** What an operation answers. */
import type { Readable } from 'node:stream';
import type { Code } from '@cumulet/common/languages/code';
import { writeXml, type Xml, type XmlTree } from './xml.js';

/** Pages of websites (`website/error-page.ts`). */
export type Html = Code<'html'>;

export interface S3Answer {
  /** 200 by default. */
  readonly status?: number;
  /** Those that are undefined are left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A stream needs a Content-Length among the headers. */
  readonly body?: Xml | Html | '' | Readable;
  /** Of a failure: what logs call it. */
  readonly errorCode?: string;
  /** What is still being worked on: its document is sent when it is there. */
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
