/** The secrets service as tests start it, with a project, its users and what they make. */
import 'reflect-metadata';
import type { TestClient, TestResponse } from '@cumulet/testing/http-client';
import { startService, type StartedService } from '@cumulet/testing/start-service';
import { newId } from '@cumulet/testing/test-tokens';
import type { SecretsConfig } from './config.js';
import { secretsService } from './service.js';

export const SECRET = { name: 'one', payload: 's3cret', payload_content_type: 'text/plain' };

export class TestSecrets {
  private constructor(
    readonly started: StartedService<SecretsConfig>,
    readonly project: string,
    readonly user: string,
    /** Tokens of `project`; `member` is `user`'s, `colleague` another member's. */
    readonly member: string,
    readonly colleague: string,
    readonly reader: string,
    readonly projectAdmin: string,
    /** Tokens of projects of their own. */
    readonly stranger: string,
    readonly admin: string,
    readonly service: string,
  ) {}

  static async start(config: Partial<SecretsConfig> = {}): Promise<TestSecrets> {
    const started = await startService(secretsService, {}, { config });
    const { tokens } = started;
    const projectId = newId();
    const userId = newId();
    return new TestSecrets(
      started,
      projectId,
      userId,
      await tokens.issue(['member'], { projectId, userId }),
      await tokens.issue(['member'], { projectId }),
      await tokens.issue(['reader'], { projectId }),
      await tokens.issue(['admin'], { projectId }),
      await tokens.issue(['member']),
      await tokens.issue(['admin']),
      await tokens.issue(['service']),
    );
  }

  get client(): TestClient {
    return this.started.client;
  }

  /** Sends a request as a member, by default at the microversion 1.2. */
  send(method: string, path: string, request: Sent = {}): Promise<TestResponse> {
    const { token = this.member, version = '1.2', headers, body } = request;
    const microversion = { 'OpenStack-API-Version': `key-manager ${version}` };
    return this.client.send(method, `/v1${path}`, {
      token,
      body,
      headers: { ...microversion, ...headers },
    });
  }

  /** @returns the id of a new secret of `project` */
  async create(fields: object = SECRET, token = this.member): Promise<string> {
    const answer = await this.send('POST', '/secrets', { token, body: fields });
    if (answer.status !== 201) throw new Error(`create answered ${answer.status}: ${answer.text}`);
    return idOf((answer.body as { secret_ref: string }).secret_ref);
  }

  /** @returns the id of a new container of `project` with these secrets, by name */
  async contain(type: string, secrets: Readonly<Record<string, string>> = {}): Promise<string> {
    const secret_refs = Object.entries(secrets).map(([name, id]) => ({
      name,
      secret_ref: this.refOf(id),
    }));
    const body = { name: 'all', type, secret_refs };
    const answer = await this.send('POST', '/containers', { body });
    if (answer.status !== 201) throw new Error(`contain answered ${answer.status}: ${answer.text}`);
    return idOf((answer.body as { container_ref: string }).container_ref);
  }

  async show(path: string, token = this.member): Promise<Record<string, unknown>> {
    return (await this.send('GET', path, { token })).body as Record<string, unknown>;
  }

  payload(id: string, token = this.member, headers = {}): Promise<TestResponse> {
    return this.send('GET', `/secrets/${id}/payload`, { token, headers });
  }

  refOf(id: string): string {
    return `${this.client.baseUrl}/v1/secrets/${id}`;
  }

  stop(): Promise<void> {
    return this.started.stop();
  }
}

interface Sent {
  readonly token?: string;
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export function idOf(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}

/** The status and message of an error, in the form of this service. */
export function errorOf({ status, body }: TestResponse): readonly [number, string] {
  const { error, code, title, description } = body as {
    error: { code: number; message: string; title: string };
    code: number;
    title: string;
    description: string;
  };
  if (code !== status || error.code !== status || title !== error.title)
    throw new Error('the error does not agree with itself');
  return [status, description === error.message ? description : ''];
}
