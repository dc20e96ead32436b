import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Protected } from '../policy/protected.js';
import { accessKeyView } from './access-key.view.js';
import { AccessKeysService } from './access-keys.service.js';

/** Ours, where Keystone has others send it each signature: no request to s3 waits for identity. */
@ApiTags('access keys')
@Controller('v3/OS-EC2/access-keys')
export class AccessKeysController {
  constructor(private readonly accessKeys: AccessKeysService) {}

  @Get(':access')
  @Protected('identity:get_access_key')
  @Header('Cache-Control', 'no-store')
  async show(@Ctx() ctx: RequestContext, @Param('access') access: string): Promise<object> {
    return { access_key: accessKeyView(await this.accessKeys.get(ctx, access)) };
  }
}
