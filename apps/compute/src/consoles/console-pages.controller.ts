/**
 * The pages that show consoles in a browser, and the programs of others that they are made with
 * (noVNC, xterm.js), which are served from here and from nowhere else.
 *
 * Always holds: a page runs no script and connects to no address but this service's own.
 */
import { readFile } from 'node:fs/promises';
import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { RouteNotFoundError } from '@cumulet/common/errors/domain-error';
import { assetPath } from './console-assets.js';
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
