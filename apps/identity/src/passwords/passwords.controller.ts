import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { ChangePasswordBody } from './password.dto.js';
import { PasswordsService } from './passwords.service.js';

@ApiTags('users')
@Controller('v3/users/:user_id/password')
export class PasswordsController {
  constructor(private readonly passwords: PasswordsService) {}

  /** No token is asked for: who has let its password expire gets none. */
  @Post()
  @Public()
  @HttpCode(204)
  async change(
    @Ctx() ctx: RequestContext,
    @Param('user_id') userId: string,
    @Body() { user: { original_password: original, password } }: ChangePasswordBody,
  ): Promise<void> {
    await this.passwords.change(ctx, userId, { original, password });
  }
}
