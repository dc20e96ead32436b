/**
 * A client that repeats what stock clients repeat: a request for which no connection came about, and a GET
 * that was answered 503 with Retry-After. It knows how long each answer took.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { CloudClient, type Answer, type Content } from '../chaos/cloud-client.js';

export interface Sent {
  readonly phase: string;
  readonly request: string;
  /** Of the last try; 0 for none. */
  readonly status: number;
  readonly tries: number;
  readonly ms: number;
  readonly body: unknown;
}

const MOST_TRIES = 4;

export class StockClient extends CloudClient {
  phase = '';
  readonly sent: Sent[] = [];

  override async send(method: string, path: string, content: Content = {}): Promise<Answer> {
    const began = performance.now();
    for (let tries = 1; ; tries += 1) {
      const answer = await super.send(method, path, content);
      const { status, body, headers } = answer;
      const after = status === 503 && method === 'GET' ? headers.get('Retry-After') : null;
      if (after !== null && tries < MOST_TRIES) {
        await pause(Number(after) * 1_000);
        continue;
      }
      const ms = performance.now() - began;
      const request = `${method} ${path}`;
      this.sent.push({ phase: this.phase, request, status, tries, ms, body });
      return answer;
    }
  }

  /** Those that no retry of a client's covered. */
  failed(phase: string): Sent[] {
    return this.sent.filter(
      (one) => one.phase === phase && (one.status === 0 || one.status >= 500),
    );
  }

  /** `1234 answers, p99 56 ms, 3 after another try` */
  summary(phase: string): string {
    const sent = this.sent.filter((one) => one.phase === phase);
    const times = sent.map(({ ms }) => ms).sort((a, b) => a - b);
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
    const again = sent.filter(({ tries }) => tries > 1).length;
    return `${sent.length} answers, p99 ${p99.toFixed(0)} ms, ${again} after another try`;
  }
}
