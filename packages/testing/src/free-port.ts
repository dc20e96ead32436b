import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Below the ephemeral ports, which the system could assign again. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A file by the name of each port that a process of tests has chosen, with the process' id. */
const CHOSEN = join(tmpdir(), `cumulet-ports-${userInfo().uid}`);

/**
 * A port on which nobody listens, for a process that gets its port as a setting. No other process of
 * tests chooses it while this one runs, since the process may take long to listen.
 */
export async function freePort(): Promise<number> {
  let port: number;
  do port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
  while (!chooses(port) || !(await isFree(port)));
  return port;
}

function chooses(port: number): boolean {
  mkdirSync(CHOSEN, { recursive: true });
  const path = join(CHOSEN, String(port));
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
  } catch {
    if (runs(Number(readFileSync(path, 'utf8')))) return false;
    writeFileSync(path, String(process.pid));
  }
  return true;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
