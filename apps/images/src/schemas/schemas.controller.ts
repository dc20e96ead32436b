import { Authenticated } from '@cumulet/common/auth/access';
import { Operation } from '@cumulet/common/http/operation';
import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Feature } from '@cumulet/common/service/feature';
import { IMAGE_ATTRIBUTES } from '../images/image.attributes.js';
import { MemberView } from '../images/members/member.dto.js';
import { TaskSummary, TaskView } from '../tasks/task.dto.js';
import { METADEF_SCHEMAS } from './metadef-schemas.js';
import { listSchema, propertiesOf, SchemaView } from '../http/schema.view.js';

const IMAGE = {
  name: 'image',
  properties: IMAGE_ATTRIBUTES,
  additionalProperties: { type: 'string' },
  links: [
    { rel: 'self', href: '{self}' },
    { rel: 'enclosure', href: '{file}' },
    { rel: 'describedby', href: '{schema}' },
  ],
};

const MEMBER = { name: 'member', properties: propertiesOf(MemberView) };

const TASK = { name: 'task', properties: propertiesOf(TaskView) };
const LISTED_TASK = { name: 'task', properties: propertiesOf(TaskSummary) };

/** By their paths. */
const SCHEMAS: Readonly<Record<string, SchemaView>> = {
  image: IMAGE,
  images: listSchema('images', IMAGE, ['first', 'next']),
  member: MEMBER,
  members: listSchema('members', MEMBER),
  task: TASK,
  tasks: listSchema('tasks', LISTED_TASK),
  ...Object.fromEntries(
    Object.entries(METADEF_SCHEMAS).map(([name, schema]) => [`metadefs/${name}`, schema]),
  ),
};

const PATH = '/v2/schemas';

/** Public source: Image API reference, "Image Schemas", "Metadata Definition Schemas". */
@ApiTags('schemas')
@Controller(PATH)
export class SchemasController {
  @Get(Object.keys(SCHEMAS))
  @Authenticated()
  @Operation('Show a schema', SchemaView)
  show(@Req() { routeOptions: { url = '' } }: FastifyRequest): SchemaView | undefined {
    return SCHEMAS[url.slice(`${PATH}/`.length)];
  }
}

@Feature({
  controllers: [SchemasController],
})
export class SchemasModule {}
