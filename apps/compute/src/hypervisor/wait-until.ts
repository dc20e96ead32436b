import { setTimeout as delay } from 'node:timers/promises';

/** @returns whether `condition`, asked every `intervalMs`, came to hold within `timeoutMs` */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  timeoutMs: number,
  intervalMs = 20,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() >= deadline) return false;
    await delay(intervalMs);
  }
  return true;
}
