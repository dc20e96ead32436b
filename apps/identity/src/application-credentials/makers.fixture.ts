/** Application credentials of the user demo, and what their tokens create. */
import { createHmac } from 'node:crypto';
import type { TestResponse } from '@cumulet/testing/http-client';
import { signedIn } from '../identity.fixture.js';
import { startDelegation, unwrap, type Delegation } from '../trusts/delegation.fixture.js';

export interface Key {
  readonly access: string;
  readonly secret: string;
}

export interface Credential {
  readonly id: string;
  readonly secret: string;
  readonly expires_at: string | null;
  readonly access_rules?: readonly object[];
}

export class Makers {
  #count = 0;

  private constructor(readonly world: Delegation) {}

  static async start(): Promise<Makers> {
    return new Makers(await startDelegation());
  }

  stop(): Promise<void> {
    return this.world.identity.stop();
  }

  send(method: string, path: string, token: string, body?: object): Promise<TestResponse> {
    return this.world.identity.client.send(method, `/v3${path}`, { token, body });
  }

  sql(text: string, params: unknown[] = []): Promise<unknown> {
    return this.world.identity.app.dataSource.query(text, params);
  }

  get credentials(): string {
    return `/users/${this.world.id('user demo')}/application_credentials`;
  }

  keysOf(user = 'demo'): string {
    return `/users/${this.world.id(`user ${user}`)}/credentials/OS-EC2`;
  }

  /** Unrestricted. */
  make(fields: object, token = this.world.tokens.demo): Promise<TestResponse> {
    const name = `made ${(this.#count += 1)}`;
    return this.send('POST', this.credentials, token, {
      application_credential: { name, unrestricted: true, ...fields },
    });
  }

  /** By default an unrestricted reader. */
  async credential(fields: object = {}, token?: string): Promise<Credential> {
    const made = await this.make({ roles: [{ name: 'reader' }], ...fields }, token);
    return unwrap(made, 'application_credential') as unknown as Credential;
  }

  remove({ id }: Credential): Promise<TestResponse> {
    return this.send('DELETE', `${this.credentials}/${id}`, this.world.tokens.demo);
  }

  async tokenBy({ id, secret }: Credential): Promise<string> {
    return signedIn(await this.world.byCredential(id, secret));
  }

  makeKey(token: string, { user = 'demo', project = 'demo' } = {}): Promise<TestResponse> {
    const body = { tenant_id: this.world.id(`project ${project}`) };
    return this.send('POST', this.keysOf(user), token, body);
  }

  async key(token: string): Promise<Key> {
    return unwrap(await this.makeKey(token), 'credential') as unknown as Key;
  }

  /** As a service asks about a signature. */
  exchange({ access, secret }: Key): Promise<TestResponse> {
    const params = { SignatureVersion: '0', Action: 'Act', Timestamp: new Date().toISOString() };
    const signature = createHmac('sha1', secret)
      .update(params.Action + params.Timestamp)
      .digest('base64');
    const request = { verb: 'GET', host: 'h', path: '/', params, headers: {}, body_hash: '' };
    return this.send('POST', '/ec2tokens', this.world.tokens.compute, {
      credentials: { access, signature, ...request },
    });
  }

  /** As the s3 service asks. */
  read({ access }: Key): Promise<TestResponse> {
    return this.send('GET', `/OS-EC2/access-keys/${access}`, this.world.tokens.compute);
  }

  async uses(key: Key): Promise<number[]> {
    return [(await this.exchange(key)).status, (await this.read(key)).status];
  }

  trustTo(trustee: string, token: string, fields: object = {}): Promise<TestResponse> {
    return this.send('POST', '/OS-TRUST/trusts', token, {
      trust: {
        trustor_user_id: this.world.id('user demo'),
        trustee_user_id: this.world.id(`user ${trustee}`),
        project_id: this.world.id('project demo'),
        impersonation: true,
        roles: [{ name: 'reader' }],
        ...fields,
      },
    });
  }
}
