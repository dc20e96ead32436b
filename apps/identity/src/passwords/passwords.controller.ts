import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '@cumulet/common/auth/access';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { FormerPassword } from './former-password.entity.js';
import { LoginAttempts } from './login-attempts.js';
import { LoginFailure } from './login-failure.entity.js';
import { LoginFailureRepository } from './login-failure.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { ChangePasswordBody } from './password.dto.js';
import { PasswordRepository } from './password.repository.js';
import { PasswordsService } from './passwords.service.js';
import { type IdentityConfig } from '../config.js';

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

function hasherOf({ passwordMemory, passwordPasses }: IdentityConfig): PasswordHasher {
  return new PasswordHasher({ memoryKib: passwordMemory, passes: passwordPasses });
}

@Feature({
  controllers: [PasswordsController],
  providers: [
    PasswordsService,
    PasswordRepository,
    LoginAttempts,
    LoginFailureRepository,
    { provide: PasswordHasher, inject: [CONFIG], useFactory: hasherOf },
  ],
  entities: [FormerPassword, LoginFailure],
})
export class PasswordsModule {}
