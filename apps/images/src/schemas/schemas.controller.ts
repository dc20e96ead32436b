import { Authenticated } from '@cumulet/common/auth/access';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { imageSchemaView, imagesSchemaView, type SchemaView } from './schema.view.js';

/** Public source: Image API reference, "Image Schemas". */
@ApiTags('schemas')
@Controller('v2/schemas')
export class SchemasController {
  @Get('image')
  @Authenticated()
  image(): SchemaView {
    return imageSchemaView();
  }

  @Get('images')
  @Authenticated()
  images(): SchemaView {
    return imagesSchemaView();
  }
}
