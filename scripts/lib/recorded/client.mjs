/** The client of the recording. */
import { StepError } from '../programs.mjs';

export const V3 = '/identity/v3';

const DEFAULT = { id: 'default' };
const WAIT_MS = 120_000;

/** JSON requests, of which every failure ends the recording. */
export class CloudClient {
  #token;

  constructor(url) {
    this.url = url;
  }

  /** @param identity of a login, as `{ methods, password }` @returns the token */
  async logIn(identity, scope) {
    const { token } = await this.send('POST', '/identity/v3/auth/tokens', {
      auth: { identity, ...(scope ? { scope } : {}) },
    });
    this.#token = token;
    return token;
  }

  /** @returns what the token says, with the catalog */
  async whoAmI() {
    const found = await this.send('GET', `${V3}/auth/tokens`, undefined, {
      'X-Subject-Token': this.#token,
    });
    return { token: found.body };
  }

  /** @returns the answer's body, with the token of a login */
  async send(method, path, body, headers = {}) {
    const raw = body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.#token ? { 'X-Auth-Token': this.#token } : {}),
        'Content-Type': raw ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      body: raw || body === undefined ? body : JSON.stringify(body),
    });
    const text = await response.text();
    // An older build does not offer it yet.
    if (response.status === 501) return {};
    if (!response.ok) throw new StepError(`${method} ${path}: ${response.status} ${text}`);
    const token = response.headers.get('X-Subject-Token');
    const answer = text === '' ? {} : JSON.parse(text);
    return { ...answer, token, body: answer.token };
  }

  post(path, body) {
    return this.send('POST', path, body);
  }

  async until(path, isThere) {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const found = await this.send('GET', path);
      if (isThere(found)) return found;
      if (Date.now() > end) throw new StepError(`In vain: ${path}: ${JSON.stringify(found)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @returns what `logIn` takes */
export function login(name, password, project = name) {
  const identity = {
    methods: ['password'],
    password: { user: { name, domain: DEFAULT, password } },
  };
  return [identity, { project: { name: project, domain: DEFAULT } }];
}
