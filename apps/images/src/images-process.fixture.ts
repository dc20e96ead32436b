/** The built images service as a process, with a simulated identity service. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@cumulet/testing/free-port';
import { eventually } from '@cumulet/testing/settle';
import type { TestTokens } from '@cumulet/testing/test-tokens';
import { WebServer } from './imports/web-download/web-server.fixture.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export interface ImagesProcess {
  readonly address: string;
  /** Resolves with the exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  signal(signal: 'SIGKILL' | 'SIGTERM'): void;
  /** What it has written to stderr. */
  errors(): string;
}

/** Answers requests to identity: keys, revocations, and service tokens. */
export async function playIdentity(tokens: TestTokens): Promise<WebServer> {
  const own = await tokens.issue(['service']);
  const times = { issued_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-01T01:00:00Z' };
  return WebServer.start((request, response) => {
    const answer = async (): Promise<object> => {
      if (request.url?.startsWith('/v3/auth/tokens')) {
        response.statusCode = 201;
        response.setHeader('X-Subject-Token', own);
        return { token: { user: { id: 'images' }, ...times } };
      }
      return request.url === '/v3/OS-REVOKE/events' ? { events: [] } : tokens.keys();
    };
    void answer().then((body) => response.end(JSON.stringify(body)));
  });
}

export interface ProcessOptions {
  readonly databaseUrl: string;
  readonly storeFolder: string;
  /** From `playIdentity`. */
  readonly identity: WebServer;
  /** Further settings, by variable. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Resolves once the service answers, or has exited. */
export async function startImagesProcess(options: ProcessOptions): Promise<ImagesProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      IMAGES_DATABASE_URL: options.databaseUrl,
      IMAGES_STORE_FOLDER: options.storeFolder,
      IMAGES_LISTEN_HOST: '127.0.0.1',
      IMAGES_PORT: String(port),
      CUMULET_IDENTITY_URL: options.identity.url(''),
      CUMULET_SERVICE_PASSWORD: 'played',
      ...options.settings,
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
