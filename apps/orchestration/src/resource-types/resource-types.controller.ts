/** Public source: Orchestration API reference, "Resource types". */
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Operation } from '@cumulet/common/http/operation';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { valuesOf } from '@cumulet/common/resources/list-query';
import { ApiQueries } from '@cumulet/common/resources/resource.openapi';
import { Feature } from '@cumulet/common/service/feature';
import { Controller, Get, Param, Query as QueryOf } from '@nestjs/common';
import { PythonPattern } from '../constraints/python-pattern.js';
import { PatternFault } from '../constraints/python-syntax.js';
import { AnyMap } from '../http/json-shape.js';
import { flagOf, type Query } from '../http/query.js';
import { EntityNotFoundError, NotSupportedError } from '../rows/stack.errors.js';
import { findResourceType, RESOURCE_TYPES } from './registry.js';
import type { ResourceType } from './resource-type.js';
import { shownType, typeTemplate } from './schema/shown-schema.js';

const ResourceTypeList = answerClass('ResourceTypeList', {
  resource_types: Shown([String], 'Their names, or objects with their descriptions.', {
    schema: {
      items: { oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] },
    },
  }),
});

const ResourceTypeView = answerClass('ResourceTypeView', {
  resource_type: Shown(String, 'The name.'),
  properties: Shown(Object, 'What a resource of the type is given.'),
  attributes: Shown(Object, 'What a resource of the type has.'),
  support_status: Shown(Object, 'Since when there is such a type, and whether there will be.'),
  description: Shown(String, 'What it is; with_description alone.', { optional: true }),
});

export const TYPE_LIST_PARAMETERS = ['name', 'version', 'support_status', 'with_description'];

@Controller('resource_types')
export class ResourceTypesController {
  @Get()
  @Allow('reader')
  @ApiQueries(TYPE_LIST_PARAMETERS)
  @Operation('List resource types', ResourceTypeList, { errors: [400] })
  list(@Ctx() { isAdmin }: RequestContext, @QueryOf() query: object): object {
    const types = [...RESOURCE_TYPES.values()];
    const shown = types.filter(({ isForAdministrators }) => isAdmin || !isForAdministrators);
    return { resource_types: typeList(shown, query as Query) };
  }

  /** Under Heat's path and the platform's. */
  @Get([':resource_type', ':resource_type/schema'])
  @Allow('reader')
  @ApiQueries(['with_description'])
  @Operation("Show a resource type's schema", ResourceTypeView)
  show(
    @Ctx() ctx: RequestContext,
    @Param('resource_type') name: string,
    @QueryOf() query: object,
  ): object {
    return shownType(typeOf(ctx, name), flagOf(query as Query, 'with_description'));
  }

  @Get(':resource_type/template')
  @Allow('reader')
  @ApiQueries(['template_type'])
  @Operation("Show a resource type's template", AnyMap)
  template(
    @Ctx() ctx: RequestContext,
    @Param('resource_type') name: string,
    @QueryOf() query: object,
  ): object {
    const [as = 'cfn'] = valuesOf(query as Query, 'template_type');
    const kind = as.toLowerCase();
    if (kind === 'hot' || kind === 'cfn') return typeTemplate(typeOf(ctx, name), kind);
    throw new InvalidInputError(
      `Template type is not supported: Invalid template type "${as}", valid types are: cfn, hot.`,
    );
  }
}

/** @throws EntityNotFoundError; ForbiddenError; NotSupportedError for a hidden one */
function typeOf({ isAdmin }: RequestContext, name: string): ResourceType {
  const type = findResourceType(name);
  if (!type) throw new EntityNotFoundError('Resource Type', name);
  if (type.isForAdministrators && !isAdmin)
    throw new ForbiddenError(`You are not authorized to use ${type.name}.`);
  if (type.support?.status === 'HIDDEN') throw new NotSupportedError(name);
  return type;
}

@Feature({ controllers: [ResourceTypesController] })
export class ResourceTypesModule {}

const STATUSES = ['UNKNOWN', 'SUPPORTED', 'PROTOTYPE', 'DEPRECATED', 'UNSUPPORTED', 'HIDDEN'];

/** The event loop matches patterns, so their length and their steps for all names are bounded. */
const MAX_PATTERN_LENGTH = 128;
const MAX_STEPS = 2_000_000;

/**
 * Public source: Orchestration API reference, "List resource types"; heat, `engine/environment.py`,
 * `get_types`.
 * @returns names, or objects for `with_description`, without hidden types
 * @throws InvalidInputError for an unknown support status
 */
export function typeList(types: Iterable<ResourceType>, query: Query): (string | object)[] {
  const [name] = valuesOf(query, 'name');
  const [version] = valuesOf(query, 'version');
  const [status] = valuesOf(query, 'support_status');
  if (status !== undefined && !STATUSES.includes(status))
    throw new InvalidInputError(
      `Invalid support status and should be one of ${STATUSES.join(', ')}`,
    );
  const withDescription = flagOf(query, 'with_description');
  return named([...types], name)
    .filter(({ support }) => {
      const has = support?.status ?? 'SUPPORTED';
      if (has === 'HIDDEN' || (status !== undefined && has !== status)) return false;
      return version === undefined || support?.version === version;
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((type) =>
      withDescription ? { resource_type: type.name, description: type.description } : type.name,
    );
}

/**
 * Names that begin with a match of the pattern; none for an invalid pattern or one that costs too much.
 */
function named(types: readonly ResourceType[], pattern: string | undefined): ResourceType[] {
  if (pattern === undefined) return [...types];
  if (pattern.length > MAX_PATTERN_LENGTH) return [];
  try {
    const compiled = new PythonPattern(pattern);
    const characters = types.reduce((sum, { name }) => sum + name.length, 0);
    if (compiled.size * characters > MAX_STEPS) return [];
    return types.filter(({ name }) => compiled.begins(name));
  } catch (error) {
    if (error instanceof PatternFault) return [];
    throw error;
  }
}
