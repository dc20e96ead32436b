/** Routes of rules: all types have some below the policy, and most also without the policy. */
import { Body, Controller, Delete, Get, Inject, Param, Post, Put, Query } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { fieldsOf } from '@cumulet/common/resources/list-query';
import type { Query as ListQuery } from '@cumulet/common/resources/list-query';
import { readChange, readNew } from '@cumulet/common/resources/read-body';
import { bodySchemas } from '@cumulet/common/resources/resource.openapi';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import { HTTPBadRequestError } from '@cumulet/common/resources/resource.errors';
import { attributesOf, type Resource } from '@cumulet/common/resources/resource';
import { shortened, uuid } from '@cumulet/common/resources/value-type';
import { shownOnly, type Attributes } from '@cumulet/common/resources/attribute';
import { QosRulesService } from './qos-rules.service.js';
import { QOS_RULE_TYPES, RULE_TYPES, type QosRuleType } from './rule-types.js';
import type { QosRule } from './qos-policy.entity.js';
import { defineBareResource } from '../resource/resource.js';

/**
 * A rule type as a resource. Public source: see `rule-types.ts`.
 * @param prefix of the wire names where the policy is not in the path
 */
function qosRuleResource(type: QosRuleType, prefix = ''): Resource {
  const settings = Object.entries<Attributes[string]>(RULE_TYPES[type].attributes);
  return defineBareResource({
    singular: `${prefix}${type}_rule`,
    plural: `${prefix}${type}_rules`,
    attributes: {
      id: shownOnly(uuid, { about: 'The ID.' }),
      ...Object.fromEntries(
        settings.map(([name, attribute]) => [name, { ...attribute, from: valueOf(name) }]),
      ),
    },
  });
}

function valueOf(name: string) {
  return (rule: QosRule): unknown => (name === 'direction' ? rule.direction : rule.settings[name]);
}

/** Parameters that are not filters. A policy has too few rules of a type for pages. */
const NOT_FILTERS = ['fields', 'limit', 'marker', 'page_reverse', 'sort_key', 'sort_dir'];

/** @throws HTTPBadRequestError for parameters that rules cannot be filtered by */
function matchingRules(resource: Resource, rules: readonly QosRule[], query: ListQuery): QosRule[] {
  const attributes = new Map(attributesOf(resource).map(([name, one]) => [name, one]));
  const asked = Object.entries(query).filter(([name]) => !NOT_FILTERS.includes(name));
  const unknown = asked.filter(([name]) => !attributes.has(name)).map(([name]) => shortened(name));
  if (unknown.length > 0)
    throw new HTTPBadRequestError(
      `[${unknown.map((name) => `'${name}'`).join(', ')}] is invalid attribute for filtering`,
    );
  const valueOf = (rule: QosRule, name: string): unknown => {
    const from = attributes.get(name)?.from as ((row: QosRule) => unknown) | undefined;
    return from ? from(rule) : rule.id;
  };
  return rules.filter((rule) =>
    asked.every(([name, values]) => [values].flat().includes(String(valueOf(rule, name)))),
  );
}

function rulesController(type: QosRuleType): Type {
  const resource = qosRuleResource(type);
  const { singular, plural } = resource;
  const [one, several] = [singular, plural].map((name) => name.replaceAll('_', ' '));
  const views = viewsOf(resource);
  const schemas = bodySchemas(resource);

  @ApiTags('QoS rules')
  @Controller(`v2.0/qos/policies/:policy_id/${plural}`)
  class RulesController {
    @Inject(QosRulesService)
    private readonly service: QosRulesService;

    @Get()
    @Allow('reader')
    @Operation(`List ${several} of a QoS policy`, views.list)
    async list(
      @Ctx() ctx: RequestContext,
      @Param('policy_id') policyId: string,
      @Query() query: object,
    ): Promise<object> {
      const rules = await this.service.list(ctx, policyId, type);
      const fields = fieldsOf(query as ListQuery);
      const found = matchingRules(resource, rules, query as ListQuery);
      return { [plural]: found.map((rule) => views.show(ctx, rule, fields)) };
    }

    @Post()
    @Allow('admin')
    @ApiBody({ schema: schemas.create })
    @Operation(`Create a ${one}`, views.one, { creates: true, errors: [409] })
    async create(
      @Ctx() ctx: RequestContext,
      @Param('policy_id') policyId: string,
      @Body() body: object,
    ): Promise<object> {
      const [given = {}] = readNew(resource, body).bodies;
      const rule = await this.service.create(ctx, policyId, type, given);
      return { [singular]: views.show(ctx, rule) };
    }

    @Get(':rule_id')
    @Allow('reader')
    @Operation(`Show a ${one}`, views.one)
    async show(
      @Ctx() ctx: RequestContext,
      @Param('policy_id') policyId: string,
      @Param('rule_id') id: string,
    ): Promise<object> {
      return { [singular]: views.show(ctx, await this.service.get(ctx, policyId, type, id)) };
    }

    @Put(':rule_id')
    @Allow('admin')
    @ApiBody({ schema: schemas.update })
    @Operation(`Update a ${one}`, views.one, { errors: [409] })
    async update(
      @Ctx() ctx: RequestContext,
      @Param('policy_id') policyId: string,
      @Param('rule_id') id: string,
      @Body() body: object,
    ): Promise<object> {
      const change = readChange(resource, body);
      const rule = await this.service.update(ctx, policyId, type, id, change);
      return { [singular]: views.show(ctx, rule) };
    }

    @Delete(':rule_id')
    @Allow('admin')
    @Operation(`Delete a ${one}`, null)
    remove(
      @Ctx() ctx: RequestContext,
      @Param('policy_id') policyId: string,
      @Param('rule_id') id: string,
    ): Promise<void> {
      return this.service.remove(ctx, policyId, type, id);
    }
  }
  return RulesController;
}

function aliasController(type: QosRuleType): Type {
  const resource = qosRuleResource(type, 'alias_');
  const { singular, plural } = resource;
  const one = `${type.replaceAll('_', ' ')} rule without its policy`;
  const views = viewsOf(resource);

  @ApiTags('QoS rules')
  @Controller(`v2.0/qos/${plural}`)
  class AliasController {
    @Inject(QosRulesService)
    private readonly service: QosRulesService;

    @Get(':rule_id')
    @Allow('reader')
    @Operation(`Show a ${one}`, views.one)
    async show(@Ctx() ctx: RequestContext, @Param('rule_id') id: string): Promise<object> {
      const policyId = await this.service.policyOf(ctx, type, id);
      return { [singular]: views.show(ctx, await this.service.get(ctx, policyId, type, id)) };
    }

    @Put(':rule_id')
    @Allow('admin')
    @ApiBody({ schema: bodySchemas(resource).update })
    @Operation(`Update a ${one}`, views.one, { errors: [409] })
    async update(
      @Ctx() ctx: RequestContext,
      @Param('rule_id') id: string,
      @Body() body: object,
    ): Promise<object> {
      const change = readChange(resource, body);
      const policyId = await this.service.policyOf(ctx, type, id);
      const rule = await this.service.update(ctx, policyId, type, id, change);
      return { [singular]: views.show(ctx, rule) };
    }

    @Delete(':rule_id')
    @Allow('admin')
    @Operation(`Delete a ${one}`, null)
    async remove(@Ctx() ctx: RequestContext, @Param('rule_id') id: string): Promise<void> {
      const policyId = await this.service.policyOf(ctx, type, id);
      await this.service.remove(ctx, policyId, type, id);
    }
  }
  return AliasController;
}

export const QOS_RULE_CONTROLLERS: readonly Type[] = [
  ...QOS_RULE_TYPES.map(rulesController),
  ...QOS_RULE_TYPES.filter((type) => RULE_TYPES[type].hasAlias).map(aliasController),
];
