/**
 * The frames of a connection to a host's door: a letter, the length of the body as four bytes with
 * the most significant first, and the body. Both sides send them. A body is bounded before it is read.
 */

/** What a frame's body is, by its letter. */
export const FRAME_KINDS = {
  /** A message: JSON (messages.ts). */
  J: 'message',
  /** Bytes of a program's file. */
  F: 'file',
  /** Bytes of an agent's standard output and error output. */
  O: 'stdout',
  E: 'stderr',
} as const;

export type FrameKind = (typeof FRAME_KINDS)[keyof typeof FRAME_KINDS];

export interface Frame {
  readonly kind: FrameKind;
  readonly body: Buffer;
}

/** The most bytes of a message; a list of a program's files is the longest. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** The most bytes of all other bodies. */
export const MAX_BYTES = 64 * 1024;
const HEAD_BYTES = 5;

/** The other side does not follow the protocol. The message says how, without quoting it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

const LETTERS = Object.fromEntries(
  Object.entries(FRAME_KINDS).map(([letter, kind]) => [kind, letter]),
) as Readonly<Record<FrameKind, string>>;

/** @throws ProtocolError if the body is too long */
export function encodeFrame(kind: FrameKind, body: Buffer): Buffer {
  requireBound(kind, body.length);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(LETTERS[kind], 0, 'latin1');
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** @returns the frames of a stream in order @throws ProtocolError for anything else, also at its end */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let chunks: Buffer[] = [];
  let held = 0;
  /** Bytes without which there is no use in joining what has arrived. */
  let needed = HEAD_BYTES;
  for await (const chunk of stream) {
    chunks.push(chunk);
    held += chunk.length;
    if (held < needed) continue;
    let rest: Buffer = Buffer.concat(chunks);
    for (;;) {
      needed = lengthOf(rest);
      if (rest.length < needed) break;
      yield { kind: kindOf(rest), body: rest.subarray(HEAD_BYTES, needed) };
      rest = rest.subarray(needed);
    }
    chunks = [rest];
    held = rest.length;
  }
  if (held > 0) throw new ProtocolError('the connection ended within a frame');
}

/** Of the first frame, with its head; of its head if that is not there yet. */
function lengthOf(bytes: Buffer): number {
  if (bytes.length < HEAD_BYTES) return HEAD_BYTES;
  const length = bytes.readUInt32BE(1);
  requireBound(kindOf(bytes), length);
  return HEAD_BYTES + length;
}

function kindOf(bytes: Buffer): FrameKind {
  const letter = bytes.toString('latin1', 0, 1);
  if (!Object.hasOwn(FRAME_KINDS, letter)) throw new ProtocolError('a frame is of no known kind');
  return FRAME_KINDS[letter as keyof typeof FRAME_KINDS];
}

function requireBound(kind: FrameKind, bytes: number): void {
  const most = kind === 'message' ? MAX_MESSAGE_BYTES : MAX_BYTES;
  if (bytes > most) throw new ProtocolError(`a ${kind} frame may have ${most} bytes at most`);
}
