/** A server of RFB (RFC 6143) without a password, for an empty screen that viewers accept. */
const WIDTH = 64;
const HEIGHT = 48;
const NAME = 'Cumulet simulated screen';

/** The client's handshake: the bytes of each message, and the answer. */
const HANDSHAKE: readonly (readonly [bytes: number, answer: Buffer])[] = [
  // Version; answered by the security types: one, None.
  [12, Buffer.from([1, 1])],
  // Chosen type; answered by its result.
  [1, Buffer.alloc(4)],
  // ClientInit; answered by ServerInit.
  [1, serverInit()],
];

/** Bytes of client messages by type; those with a list have its length at an offset. */
const MESSAGES: Readonly<
  Record<number, { bytes: number; list?: (head: Buffer) => number } | undefined>
> = {
  0: { bytes: 20 },
  2: { bytes: 4, list: (head) => 4 * head.readUInt16BE(2) },
  3: { bytes: 10 },
  4: { bytes: 8 },
  5: { bytes: 6 },
  6: { bytes: 8, list: (head) => head.readUInt32BE(4) },
};

const UPDATE_REQUEST = 3;

export const GREETING = Buffer.from('RFB 003.008\n', 'latin1');

export class BlankScreen {
  #received = Buffer.alloc(0);
  #step = 0;

  /** @returns the answer; undefined for messages that no client of this screen sends */
  receive(bytes: Buffer): Buffer | undefined {
    this.#received = Buffer.concat([this.#received, bytes]);
    const answers: Buffer[] = [];
    for (;;) {
      const length = this.#nextLength();
      if (length === undefined) return undefined;
      if (length > this.#received.length) return Buffer.concat(answers);
      const message = this.#received.subarray(0, length);
      this.#received = this.#received.subarray(length);
      answers.push(this.#answer(message));
    }
  }

  #nextLength(): number | undefined {
    const step = HANDSHAKE[this.#step];
    if (step) return step[0];
    const [type] = this.#received;
    if (type === undefined) return 1;
    const message = MESSAGES[type];
    if (!message) return undefined;
    const { bytes, list } = message;
    return list && this.#received.length >= bytes ? bytes + list(this.#received) : bytes;
  }

  #answer(message: Buffer): Buffer {
    const step = HANDSHAKE[this.#step];
    if (step) {
      this.#step += 1;
      return step[1];
    }
    const isWhole = message[0] === UPDATE_REQUEST && message[1] === 0;
    return isWhole ? blackRectangle() : Buffer.alloc(0);
  }
}

function serverInit(): Buffer {
  const name = Buffer.from(NAME, 'latin1');
  const init = Buffer.alloc(24 + name.length);
  init.writeUInt16BE(WIDTH, 0);
  init.writeUInt16BE(HEIGHT, 2);
  // 32 bits per pixel, 24 of them colour, little-endian, true colour; 8 bits each at 16, 8 and 0.
  init.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0], 4);
  init.writeUInt32BE(name.length, 20);
  name.copy(init, 24);
  return init;
}

function blackRectangle(): Buffer {
  const update = Buffer.alloc(16 + WIDTH * HEIGHT * 4);
  update.writeUInt16BE(1, 2);
  update.writeUInt16BE(WIDTH, 8);
  update.writeUInt16BE(HEIGHT, 10);
  return update;
}
