import { Authenticated } from '@cumulet/common/auth/access';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Feature } from '@cumulet/common/service/feature';
import { METADEF_SCHEMAS, type MetadefSchemaView } from './metadef-schema.view.js';

/** Public source: Image API reference, "Metadata Definition Schemas". */
@ApiTags('schemas')
@Controller('v2/schemas/metadefs')
export class MetadefSchemasController {
  @Get('namespace')
  @Authenticated()
  namespace(): MetadefSchemaView {
    return METADEF_SCHEMAS.namespace;
  }

  @Get('namespaces')
  @Authenticated()
  namespaces(): MetadefSchemaView {
    return METADEF_SCHEMAS.namespaces;
  }

  @Get('object')
  @Authenticated()
  object(): MetadefSchemaView {
    return METADEF_SCHEMAS.object;
  }

  @Get('objects')
  @Authenticated()
  objects(): MetadefSchemaView {
    return METADEF_SCHEMAS.objects;
  }

  @Get('property')
  @Authenticated()
  property(): MetadefSchemaView {
    return METADEF_SCHEMAS.property;
  }

  @Get('properties')
  @Authenticated()
  properties(): MetadefSchemaView {
    return METADEF_SCHEMAS.properties;
  }

  @Get('resource_type')
  @Authenticated()
  resourceType(): MetadefSchemaView {
    return METADEF_SCHEMAS.resource_type;
  }

  @Get('resource_types')
  @Authenticated()
  resourceTypes(): MetadefSchemaView {
    return METADEF_SCHEMAS.resource_types;
  }

  @Get('tag')
  @Authenticated()
  tag(): MetadefSchemaView {
    return METADEF_SCHEMAS.tag;
  }

  @Get('tags')
  @Authenticated()
  tags(): MetadefSchemaView {
    return METADEF_SCHEMAS.tags;
  }
}

@Feature({
  controllers: [MetadefSchemasController],
})
export class MetadefSchemasModule {}
