import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { tlsSettings } from './tls.js';

export interface Probe {
  readonly host: string;
  readonly port: string | number;
  readonly path: string;
}

/**
 * Asks a process whether it is ready, by HTTPS if its environment has it serve that. Its certificate
 * is of the name that its sisters use, which is not how a probe reaches it, and is not checked.
 * @param env the environment of the process
 * @returns the status
 * @throws Error if it does not answer in time
 */
export async function askProbe(
  env: Readonly<Record<string, string | undefined>>,
  probe: Probe,
  limitMs: number,
): Promise<number> {
  const isSecure = Boolean(env[tlsSettings.tlsCertificate.env]);
  const options = { ...probe, signal: AbortSignal.timeout(limitMs), rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = isSecure ? getSecurely(options) : get(options);
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
}
