/** A real S3 server for tests: moto, from the package registry, in its own environment. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '@cumulet/testing/free-port';
import { eventually } from '@cumulet/testing/settle';
import type { S3Location } from './store-settings.js';

const run = promisify(execFile);

const PACKAGES = ['moto[s3]==5.1.22', 'flask==3.1.3', 'flask-cors==6.0.5'];
const ENVIRONMENT = fileURLToPath(new URL('../../.venv/moto', import.meta.url));
const INSTALL = fileURLToPath(
  new URL('../../../../scripts/python-environment.sh', import.meta.url),
);
const PYTHON = join(ENVIRONMENT, 'bin', 'python');

export class S3Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly endpoint: string,
  ) {}

  /** Installs the server if it is missing, or not in the wanted version. */
  static async start(): Promise<S3Server> {
    await install();
    const port = await freePort();
    const child = spawn(PYTHON, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
      stdio: 'ignore',
    });
    const server = new S3Server(child, `http://127.0.0.1:${port}`);
    await eventually('the S3 server answers', async () => {
      if (child.exitCode !== null) throw new Error(`moto ended with ${child.exitCode}`);
      return fetch(server.endpoint)
        .then(({ ok }) => ok)
        .catch(() => false);
    });
    return server;
  }

  /** A new bucket, and a prefix in it for a store. */
  async newLocation(): Promise<S3Location> {
    const location: S3Location = {
      endpoint: this.endpoint,
      region: 'us-east-1',
      bucket: `test-${randomBytes(6).toString('hex')}`,
      prefix: 'widgets/',
      accessKey: 'test',
      secretKey: 'test-secret',
    };
    const client = this.client(location);
    await client.send(new CreateBucketCommand({ Bucket: location.bucket }));
    client.destroy();
    return location;
  }

  /** The test's own client. */
  client({ endpoint, region, accessKey, secretKey }: S3Location): S3Client {
    const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
    return new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await ended;
  }
}

async function install(): Promise<void> {
  try {
    await run(INSTALL, [ENVIRONMENT, ...PACKAGES]);
  } catch (error) {
    throw new Error(
      'the S3 server that the tests use cannot be installed: it needs python3 with venv (on Debian ' +
        'python3-venv), and the Python package index',
      { cause: error },
    );
  }
}
