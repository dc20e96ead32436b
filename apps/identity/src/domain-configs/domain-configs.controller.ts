import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Injectable,
  Param,
  Patch,
  Put,
  Res,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { DomainId } from '@cumulet/common/context/ids';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { selectRow } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { CheckedField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { domains } from '../domains/domain.repository.js';
import { Domain } from '../domains/domain.resource.js';
import { Protected } from '../policy/protected.js';
import {
  checkPlace,
  configIn,
  type ConfigPlace,
  DEFAULTS,
  type DomainConfig,
  InvalidDomainConfigError,
  merged,
  type Options,
  partOf,
  visible,
  without,
} from './domain-config.js';

@Entity('domain_configs')
export class StoredDomainConfig {
  @PrimaryColumn('text', { name: 'domain_id', primaryKeyConstraintName: 'domain_configs_pkey' })
  @ForeignKey(() => Domain, { name: 'domain_configs_domain_id_fkey', onDelete: 'CASCADE' })
  domainId: DomainId;

  /** JSON, encrypted under the configured key: it holds passwords. */
  @Column('text', { name: 'sealed_config' })
  sealedConfig: string;
}

interface DomainPlace extends ConfigPlace {
  readonly domain_id: string;
}

class DomainConfigNotFoundError extends DomainError {
  constructor({ domain_id: domainId, group = '', option }: DomainPlace) {
    const what = option === undefined ? `group ${group}` : `option ${option} in group ${group}`;
    super(
      'not-found',
      `Could not find ${group === '' ? 'any options' : what} in domain configuration for domain ${domainId}.`,
    );
  }
}

function shownOf(config: DomainConfig, place: DomainPlace): Options {
  const shown = partOf(config, place);
  if (!shown) throw new DomainConfigNotFoundError(place);
  return shown;
}

/**
 * Configurations of domains are stored and shown, but have no effect: identity itself has the users of
 * all domains. Public source: Keystone API reference, "Domain configuration".
 */
@Injectable()
export class DomainConfigsService {
  constructor(private readonly seal: Seal) {}

  /** @throws NotFoundError, DomainConfigNotFoundError, InvalidDomainConfigError */
  async show(ctx: RequestContext, place: DomainPlace): Promise<Options> {
    checkPlace(place);
    await domains.get(ctx, place.domain_id);
    return shownOf(visible(await this.#load(ctx, place.domain_id)), place);
  }

  /** @returns the former configuration, and the part of the new one that is shown */
  replace(ctx: RequestContext, place: DomainPlace, body: Options): Promise<[Options, Options]> {
    const config = configIn(body);
    return this.#change(ctx, place, () => config);
  }

  /** Merges the body; a group or an option in the path must exist already. @returns as `replace` */
  update(ctx: RequestContext, place: DomainPlace, body: Options): Promise<[Options, Options]> {
    const config = configIn(body, place);
    return this.#change(ctx, place, (now) => merged(now, config));
  }

  async delete(ctx: RequestContext, place: DomainPlace): Promise<void> {
    const { group, option } = place;
    checkPlace(place);
    await this.#change(ctx, place, (now) =>
      without(now, (...of) => of[0] === (group ?? of[0]) && of[1] === (option ?? of[1])),
    );
  }

  #change(
    ctx: RequestContext,
    place: DomainPlace,
    change: (before: DomainConfig) => DomainConfig,
  ): Promise<[Options, Options]> {
    return inTransaction(ctx, async (tx) => {
      const { id } = await domains.lock(tx, place.domain_id);
      const before = await this.#load(tx, id);
      if (place.group !== undefined) shownOf(before, place);
      const after = change(before);
      const row = { domainId: id, sealedConfig: this.seal.seal(JSON.stringify(after)) };
      await tx.manager.upsert(StoredDomainConfig, row, ['domainId']);
      return [before, visible(after)];
    });
  }

  async #load(ctx: RequestContext, id: string): Promise<DomainConfig> {
    const row = await selectRow(ctx.manager, StoredDomainConfig, 'WHERE domain_id = $1', [id]);
    return row ? (JSON.parse(this.seal.open(row.sealedConfig)) as DomainConfig) : {};
  }
}

class DomainConfigBody {
  @CheckedField(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
    { type: 'object', additionalProperties: true },
  )
  config: Options;
}

const DomainConfigAnswer = answerClass('DomainConfigAnswer', {
  config: Shown(Object, 'The groups of options; for a single option, the option alone.'),
});

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
  showDefaults(@Param() place: ConfigPlace): object {
    checkPlace(place);
    const config = partOf(DEFAULTS, place);
    if (!config) throw new InvalidDomainConfigError('A sensitive option has no default');
    return { config };
  }

  /** The same in every domain. */
  @Get([`${ALL}/${RULES}`, `${ALL}/${RULES}/:option`])
  @Protected('identity:get_security_compliance_domain_config')
  @Operation('Show the rules for passwords', DomainConfigAnswer)
  showPasswordRules(@Param() place: DomainPlace): object {
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
  ): Promise<object> {
    const [before, config] = await this.service.replace(ctx, place, body.config);
    if (Object.keys(before).length === 0) void reply.status(201);
    return { config };
  }

  @Get(ANY)
  @Protected('identity:get_domain_config')
  @Operation('Show the configuration of a domain', DomainConfigAnswer)
  async show(@Ctx() ctx: RequestContext, @Param() place: DomainPlace): Promise<object> {
    return { config: await this.service.show(ctx, place) };
  }

  @Patch(ANY)
  @Protected('identity:update_domain_config')
  @Operation('Change the configuration of a domain', DomainConfigAnswer)
  async update(
    @Ctx() ctx: RequestContext,
    @Param() place: DomainPlace,
    @Body() body: DomainConfigBody,
  ): Promise<object> {
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
