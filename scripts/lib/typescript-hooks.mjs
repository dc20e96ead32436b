/** How Node loads the workspaces' TypeScript sources: registered by `typescript-sources.mjs`. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { OPTIONS, compile } from './compile.mjs';

const MODULES = new URL('../../node_modules/', import.meta.url);

/** One file per source, so that it does not grow: the digest of what it was made of, then the JavaScript. */
const CACHE = fileURLToPath(new URL('.cache/cumulet-sources', MODULES));

const SWC = readFileSync(new URL('@swc/core/package.json', MODULES));

/** The sources import each other as the `.js` files that they compile to. */
export async function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = await compiled(fileURLToPath(url));
  return { format: 'module', source, shortCircuit: true };
}

async function compiled(filename) {
  const text = await readFile(filename, 'utf8');
  const digest = digestOf(SWC, JSON.stringify(OPTIONS), text);
  const file = join(CACHE, digestOf(filename));
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.startsWith(digest)) return kept.slice(digest.length);
  const { code } = await compile(text, filename, 'inline');
  await keep(file, digest + code);
  return code;
}

/**
 * Other processes may write the same file at the same time: each reads a whole one. Users who cannot write
 * here compile anew.
 */
async function keep(file, text) {
  try {
    await mkdir(CACHE, { recursive: true });
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) throw error;
  }
}

function digestOf(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
