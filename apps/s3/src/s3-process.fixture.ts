/** The built S3 service as a process of its own, with an identity that a test plays. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import { freePort } from '@cumulet/testing/free-port';
import { eventually } from '@cumulet/testing/settle';
import { newId, type TestTokens } from '@cumulet/testing/test-tokens';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export const ACCESS = { accessKeyId: newId(), secretAccessKey: newId() };

const TIMES = { issued_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-01T01:00:00Z' };

export interface PlayedIdentity {
  readonly url: string;
  readonly server: Server;
}

/** Answers what the service asks of identity; there is one access key. */
export async function playIdentity(tokens: TestTokens): Promise<PlayedIdentity> {
  const own = await tokens.issue(['service']);
  const key = {
    access: ACCESS.accessKeyId,
    secret: ACCESS.secretAccessKey,
    credential_id: newId(),
    user_id: newId(),
    user_domain_id: 'default',
    project_id: newId(),
    project_domain_id: 'default',
    roles: ['member', 'reader'],
    ...TIMES,
  };
  const keys = await tokens.keys();
  const server = createServer(({ url = '' }, response) => {
    const isToken = url.startsWith('/v3/auth/tokens');
    if (isToken) response.writeHead(201, { 'X-Subject-Token': own });
    response.end(
      JSON.stringify(isToken ? { token: { user: { id: 's3' }, ...TIMES } } : answer(url)),
    );
  });
  const answer = (url: string): object => {
    if (url.startsWith('/v3/OS-EC2/access-keys/')) return { access_key: key };
    return url.startsWith('/v3/OS-REVOKE/events') ? { events: [] } : keys;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

export async function endIdentity({ server }: PlayedIdentity): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Amazon's own client, with the one access key; it tries nothing twice. */
export function clientOf({ address }: S3Process): S3Client {
  return new S3Client({
    endpoint: address,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: ACCESS,
    maxAttempts: 1,
  });
}

export interface S3Process {
  readonly address: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

export interface ProcessOptions {
  readonly databaseUrl: string;
  readonly identityUrl: string;
  /** A free one by default. */
  readonly port?: number;
  /** Where its store is: variables of docs/settings.md. */
  readonly store: Readonly<Record<string, string>>;
}

/** Returns once it answers. */
export async function startS3Process(options: ProcessOptions): Promise<S3Process> {
  const port = options.port ?? (await freePort());
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      S3_DATABASE_URL: options.databaseUrl,
      ...options.store,
      S3_LISTEN_HOST: '127.0.0.1',
      S3_PORT: String(port),
      S3_SECRET_KEY: '11'.repeat(32),
      CUMULET_LOG_LEVEL: 'error',
      CUMULET_IDENTITY_URL: options.identityUrl,
      CUMULET_SERVICE_PASSWORD: 'played',
    },
  });
  const address = `http://127.0.0.1:${port}`;
  await eventually('the S3 process answers', async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    return fetch(`${address}/-/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  });
  return { address, kill: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
