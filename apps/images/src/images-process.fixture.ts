/** The built images service as a process of its own, with an identity that a test plays. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '@cumulet/testing/free-port';
import { eventually } from '@cumulet/testing/settle';
import type { TestTokens } from '@cumulet/testing/test-tokens';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export interface ImagesProcess {
  readonly address: string;
  /** Resolves with the exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  signal(signal: 'SIGKILL' | 'SIGTERM'): void;
  /** What it has written to stderr. */
  errors(): string;
}

/** Answers what a service asks of identity: keys, revocations, and a token of its own. */
export class PlayedIdentity {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(tokens: TestTokens): Promise<PlayedIdentity> {
    const own = await tokens.issue(['service']);
    const server = createServer((request, response) => {
      const answer = async (): Promise<object> => {
        if (request.url?.startsWith('/v3/auth/tokens')) {
          response.statusCode = 201;
          response.setHeader('X-Subject-Token', own);
          return {
            token: {
              user: { id: 'images' },
              issued_at: '2026-01-01T00:00:00Z',
              expires_at: '2026-01-01T01:00:00Z',
            },
          };
        }
        return request.url === '/v3/OS-REVOKE/events' ? { events: [] } : tokens.keys();
      };
      void answer().then((body) => response.end(JSON.stringify(body)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PlayedIdentity(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

export interface ProcessOptions {
  readonly databaseUrl: string;
  readonly storeFolder: string;
  readonly identityUrl: string;
}

/** Returns once it answers, or has exited. */
export async function startImagesProcess(options: ProcessOptions): Promise<ImagesProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      IMAGES_DATABASE_URL: options.databaseUrl,
      IMAGES_STORE_FOLDER: options.storeFolder,
      IMAGES_LISTEN_HOST: '127.0.0.1',
      IMAGES_PORT: String(port),
      CUMULET_IDENTITY_URL: options.identityUrl,
      CUMULET_SERVICE_PASSWORD: 'played',
    },
  });
  const found = asImagesProcess(child, `http://127.0.0.1:${port}`);
  await eventually('the images process answers', async () => {
    if (child.exitCode !== null) return true;
    return fetch(`${found.address}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  });
  return found;
}

function asImagesProcess(child: ChildProcess, address: string): ImagesProcess {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return {
    address,
    exited: once(child, 'close').then(([code]) => code as number | null),
    signal: (signal) => void child.kill(signal),
    errors: () => errors,
  };
}
