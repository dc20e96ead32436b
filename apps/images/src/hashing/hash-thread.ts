/** The code of a hash thread, and its messages. Answers come in the order of requests. */

import type { Hash } from 'node:crypto';

export interface DataDigests {
  /** Both digests are in hexadecimal. */
  readonly md5: string;
  readonly sha512: string;
}

/** A stream is one job, which begins with its first block. */
export type HashRequest =
  | {
      readonly kind: 'update';
      readonly job: number;
      /** Transferred: the sender no longer has it. */
      readonly block: ArrayBuffer;
      readonly length: number;
    }
  | { readonly kind: 'digest'; readonly job: number }
  /** The stream never ended. */
  | { readonly kind: 'drop'; readonly job: number };

export type HashReply = { readonly block: ArrayBuffer } | { readonly digests: DataDigests };

/**
 * Only the text of this function reaches the thread, so it takes all it needs from Node. Nothing in
 * it is named, since bundlers make named functions call a helper that does not exist there.
 */
export function hashThread(): void {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const jobs = new Map<number, { readonly md5: Hash; readonly sha512: Hash }>();
  parentPort?.on('message', (request: HashRequest) => {
    const { job, kind } = request;
    const hashes = jobs.get(job) ?? { md5: createHash('md5'), sha512: createHash('sha512') };
    if (kind === 'update') {
      const bytes = new Uint8Array(request.block, 0, request.length);
      hashes.md5.update(bytes);
      hashes.sha512.update(bytes);
      jobs.set(job, hashes);
      parentPort.postMessage({ block: request.block } satisfies HashReply, [request.block]);
      return;
    }
    jobs.delete(job);
    if (kind === 'drop') return;
    const digests = { md5: hashes.md5.digest('hex'), sha512: hashes.sha512.digest('hex') };
    parentPort.postMessage({ digests } satisfies HashReply);
  });
}
