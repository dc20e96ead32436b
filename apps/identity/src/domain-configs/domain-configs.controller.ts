import { Body, Controller, Delete, Get, Inject, Param, Patch, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx } from '@cumulet/common/context/ctx.decorator';
import { RequestContext } from '@cumulet/common/context/request-context';
import { CheckedField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { Protected } from '../policy/protected.js';
import { StoredDomainConfig } from './domain-config.entity.js';
import {
  checkPlace,
  DEFAULTS,
  InvalidDomainConfigError,
  partOf,
  type ConfigPlace,
  type Options,
} from './domain-config.js';
import { DomainConfigsService, shownOf, type DomainPlace } from './domain-configs.service.js';

class DomainConfigBody {
  @CheckedField(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
    { type: 'object', additionalProperties: true },
  )
  config: Options;
}

class DomainConfigAnswer {
  @Shown(Object, 'Groups of options; of a single option, the option itself.')
  config: Options;
}

const ALL = ':domain_id/config';
const RULES = 'security_compliance';
const ANY = [ALL, `${ALL}/:group`, `${ALL}/:group/:option`];

@ApiTags('domain configuration')
@Controller('v3/domains')
export class DomainConfigsController {
  constructor(
    private readonly service: DomainConfigsService,
    @Inject(CONFIG) private readonly settings: IdentityConfig,
  ) {}

  @Get(['config/default', 'config/:group/default', 'config/:group/:option/default'])
  @Protected('identity:get_domain_config_default')
  @Operation('Show the default configuration of domains', DomainConfigAnswer)
  showDefaults(@Param() place: ConfigPlace): DomainConfigAnswer {
    checkPlace(place);
    const config = partOf(DEFAULTS, place);
    if (!config) throw new InvalidDomainConfigError('A sensitive option has no default');
    return { config };
  }

  /** What clients tell users who choose a password. The rules are the same in every domain. */
  @Get([`${ALL}/${RULES}`, `${ALL}/${RULES}/:option`])
  @Protected('identity:get_security_compliance_domain_config')
  @Operation('Show the rules for passwords', DomainConfigAnswer)
  showPasswordRules(@Param() place: DomainPlace): DomainConfigAnswer {
    const { passwordPattern, passwordPatternText } = this.settings;
    const rules = {
      password_regex: passwordPattern?.source ?? null,
      password_regex_description: passwordPattern ? passwordPatternText : null,
    };
    return { config: shownOf({ [RULES]: rules }, { ...place, group: RULES }) };
  }

  @Put(ALL)
  @Protected('identity:create_domain_config')
  @Operation('Replace the configuration of a domain', DomainConfigAnswer, {
    also: { 201: DomainConfigAnswer },
  })
  async replace(
    @Ctx() ctx: RequestContext,
    @Param() place: DomainPlace,
    @Body() body: DomainConfigBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DomainConfigAnswer> {
    const [before, config] = await this.service.replace(ctx, place, body.config);
    if (Object.keys(before).length === 0) void reply.status(201);
    return { config };
  }

  @Get(ANY)
  @Protected('identity:get_domain_config')
  @Operation('Show the configuration of a domain', DomainConfigAnswer)
  async show(@Ctx() ctx: RequestContext, @Param() place: DomainPlace): Promise<DomainConfigAnswer> {
    return { config: await this.service.show(ctx, place) };
  }

  @Patch(ANY)
  @Protected('identity:update_domain_config')
  @Operation('Change the configuration of a domain', DomainConfigAnswer)
  async update(
    @Ctx() ctx: RequestContext,
    @Param() place: DomainPlace,
    @Body() body: DomainConfigBody,
  ): Promise<DomainConfigAnswer> {
    const [, config] = await this.service.update(ctx, place, body.config);
    return { config };
  }

  @Delete(ANY)
  @Protected('identity:delete_domain_config')
  @Operation('Delete the configuration of a domain', null)
  delete(@Ctx() ctx: RequestContext, @Param() place: DomainPlace): Promise<void> {
    return this.service.delete(ctx, place);
  }
}

@Feature({
  controllers: [DomainConfigsController],
  providers: [DomainConfigsService],
  entities: [StoredDomainConfig],
})
export class DomainConfigsModule {}
