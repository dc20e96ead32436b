import { ServiceRefusedError } from '../http/service-client-errors.js';

export interface TokenSource {
  token(): Promise<string>;
  /** Call it with a token that a service refused: the next one is new. */
  invalidate(value: string): void;
}

/**
 * Asks with a service's token. A token that was itself revoked, or that a restored identity never
 * signed, is replaced once.
 */
export async function withToken<T>(
  tokens: TokenSource,
  ask: (token: string) => Promise<T>,
): Promise<T> {
  const token = await tokens.token();
  try {
    return await ask(token);
  } catch (error) {
    if (!(error instanceof ServiceRefusedError && error.status === 401)) throw error;
    tokens.invalidate(token);
    return ask(await tokens.token());
  }
}
