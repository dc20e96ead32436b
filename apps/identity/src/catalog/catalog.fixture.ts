/** Identity and callers of several kinds, for tests of the catalog's parts and limits. */
import type { TestResponse } from '@cumulet/testing/http-client';
import { TestTokens } from '@cumulet/testing/test-tokens';
import { startIdentity, type TestIdentity } from '../identity.fixture.js';

export type Json = Record<string, unknown>;

export interface CatalogWorld {
  readonly identity: TestIdentity;
  readonly tokens: TestTokens;
  /** Tokens of the whole system with these roles, and of some project. */
  readonly admin: string;
  readonly systemReader: string;
  readonly member: string;
  /** Requests `/v3/…`, as the administrator unless given another token. */
  ask(method: string, path: string, body?: object, token?: string): Promise<TestResponse>;
  /** The value under the key in the answer to a request that must succeed. */
  made(path: string, key: string, fields: object): Promise<Json>;
}

const SYSTEM = { projectId: undefined, domainId: undefined, scope: 'system' } as const;

export async function startCatalog(): Promise<CatalogWorld> {
  const tokens = await TestTokens.create();
  const identity = await startIdentity({ region: 'North' }, { tokens });
  const admin = await tokens.issue(['admin'], SYSTEM);
  const ask: CatalogWorld['ask'] = (method, path, body, token = admin) =>
    identity.client.send(method, `/v3/${path}`, { body, token });
  return {
    identity,
    tokens,
    admin,
    systemReader: await tokens.issue(['reader'], SYSTEM),
    member: await tokens.issue(['member']),
    ask,
    made: async (path, key, fields) => {
      const response = await ask('POST', path, { [key]: fields });
      if (response.status !== 201) throw new Error(`${response.status} ${response.text}`);
      return (response.body as Record<string, Json>)[key] ?? {};
    },
  };
}

/** The values of a property in a list of objects. */
export function pick({ body }: TestResponse, list: string, property: string): unknown[] {
  return (body as Record<string, Json[]>)[list]?.map((one) => one[property]) ?? [];
}
