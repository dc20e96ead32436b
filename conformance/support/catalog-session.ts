/** A logged-in user's requests to the services of the catalog, for what Tempest must be told. */
import type { CloudEntry } from './cloud-entry.js';

interface Token {
  readonly user: { readonly id: string };
  readonly catalog: readonly {
    readonly type: string;
    readonly endpoints: readonly { readonly interface: string; readonly url: string }[];
  }[];
}

export class CatalogSession {
  private constructor(
    private readonly token: Token,
    private readonly secret: string,
  ) {}

  static async open({ auth }: CloudEntry): Promise<CatalogSession> {
    const domain = { id: 'default' };
    const { username: name, password, project_name: project } = auth;
    const response = await fetch(`${auth['auth_url']}/auth/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        auth: {
          identity: { methods: ['password'], password: { user: { name, domain, password } } },
          scope: { project: { name: project, domain } },
        },
      }),
    });
    const { token } = (await response.json()) as { token: Token };
    return new CatalogSession(token, response.headers.get('X-Subject-Token') ?? '');
  }

  get userId(): string {
    return this.token.user.id;
  }

  /** @param path below the service's public address */
  async send(type: string, path: string, init: RequestInit = {}): Promise<Response> {
    const service = this.token.catalog.find((one) => one.type === type);
    const url = service?.endpoints.find((endpoint) => endpoint.interface === 'public')?.url ?? '';
    const headers = new Headers(init.headers);
    headers.set('X-Auth-Token', this.secret);
    const response = await fetch(url + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response;
  }
}
