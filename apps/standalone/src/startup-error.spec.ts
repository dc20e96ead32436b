import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ingress } from '@cumulet/common/http/ingress';
import { asStartupError, StartupError } from './startup-error.js';

const taken = createServer();
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  port = (taken.address() as { port: number }).port;
});

afterAll(() => {
  taken.close();
});

async function failure(onPort: number, listenHost: string): Promise<unknown> {
  try {
    return await new Ingress().listen(onPort, listenHost);
  } catch (error) {
    return asStartupError(error, { port: onPort, listenHost });
  }
}

describe('one line is all that is said of', () => {
  it('a port that is taken', async () => {
    expect(await failure(port, '127.0.0.1')).toEqual(
      new StartupError(
        `Port ${port} is in use: stop what listens there, or choose another with CUMULET_PORT`,
      ),
    );
  });

  it.each(['192.0.2.1', 'nowhere.invalid'])('%s, no address of this machine', async (host) => {
    expect(await failure(0, host)).toEqual(
      new StartupError(`CUMULET_LISTEN_HOST must be an address of this machine; "${host}" is not`),
    );
  });
});

it('a mistake of ours keeps its stack', () => {
  const error = new TypeError('x is not a function');
  expect(asStartupError(error, { port: 8080, listenHost: '127.0.0.1' })).toBe(error);
});
