import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '@cumulet/common/auth/access';
import { COMPUTE_CONFIG } from '../injection-tokens.js';
import type { ComputeConfig } from '../config.js';
import { versionDetailView, versionView } from './version.view.js';

@ApiTags('versions')
@Controller()
export class VersionsController {
  constructor(@Inject(COMPUTE_CONFIG) private readonly config: ComputeConfig) {}

  @Get()
  @Public()
  list(@Req() request: FastifyRequest): object {
    return { versions: [versionView(this.baseUrl(request))] };
  }

  @Get('v2.1')
  @Public()
  show(@Req() request: FastifyRequest): object {
    return { version: versionDetailView(this.baseUrl(request)) };
  }

  private baseUrl(request: FastifyRequest): string {
    return this.config.publicUrl ?? `${request.protocol}://${request.host}`;
  }
}
