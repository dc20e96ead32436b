/**
 * Pages that show consoles in a browser, with third-party programs (noVNC, xterm.js).
 *
 * Always holds: a page loads scripts from and connects to this service alone.
 */
import { readFile, readdir } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { RouteNotFoundError } from '@cumulet/common/errors/domain-error';
import { pageOf, scriptOf } from './console-pages.js';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

@ApiExcludeController()
@Controller('consoles')
export class ConsolePagesController {
  @Get('vnc.html')
  @Public()
  @Header('Content-Type', HTML)
  @Header('Content-Security-Policy', POLICY)
  @Header('Referrer-Policy', 'no-referrer')
  vnc(): string {
    return pageOf('vnc');
  }

  @Get('serial')
  @Public()
  @Header('Content-Type', HTML)
  @Header('Content-Security-Policy', POLICY)
  @Header('Referrer-Policy', 'no-referrer')
  serial(): string {
    return pageOf('serial');
  }

  @Get('vnc.js')
  @Public()
  @Header('Content-Type', SCRIPT)
  vncScript(): string {
    return scriptOf('vnc');
  }

  @Get('serial.js')
  @Public()
  @Header('Content-Type', SCRIPT)
  serialScript(): string {
    return scriptOf('serial');
  }

  @Get('assets/*')
  @Public()
  @Header('Cache-Control', 'public, max-age=3600')
  async asset(@Param('*') name: string): Promise<StreamableFile> {
    const asset = await assetPath(name);
    if (!asset) throw new RouteNotFoundError('GET', `/consoles/assets/${name.slice(0, 255)}`);
    return new StreamableFile(await readFile(asset.path), { type: asset.type });
  }
}

/** Third-party files of the pages, by path below `/consoles/assets`. No other file is served. */
interface Asset {
  readonly path: string;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string | undefined>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

let assets: Promise<ReadonlyMap<string, Asset>> | undefined;

/** @param name `novnc/core/rfb.js` */
async function assetPath(name: string): Promise<Asset | undefined> {
  assets ??= findAssets();
  return (await assets).get(name);
}

async function findAssets(): Promise<ReadonlyMap<string, Asset>> {
  const novnc = dirname(dirname(resolved('@novnc/novnc')));
  const xterm = dirname(resolved('@xterm/xterm/package.json'));
  const found = await Promise.all([
    filesOf('novnc', novnc, 'core'),
    filesOf('novnc', novnc, 'vendor'),
    filesOf('xterm', xterm, 'lib'),
    filesOf('xterm', xterm, 'css'),
  ]);
  return new Map(found.flat());
}

function resolved(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}

async function filesOf(prefix: string, root: string, folder: string): Promise<[string, Asset][]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) return [];
    const path = join(entry.parentPath, entry.name);
    return [[`${prefix}/${relative(root, path)}`, { path, type }] as [string, Asset]];
  });
}
