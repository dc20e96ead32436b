import { Authenticated } from '@cumulet/common/auth/access';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  imageSchemaView,
  imagesSchemaView,
  memberSchemaView,
  membersSchemaView,
  taskSchemaView,
  tasksSchemaView,
  type SchemaView,
} from './schema.view.js';

/** Public source: Image API reference, "Image Schemas" and "Task Schemas". */
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

  @Get('member')
  @Authenticated()
  member(): SchemaView {
    return memberSchemaView();
  }

  @Get('members')
  @Authenticated()
  members(): SchemaView {
    return membersSchemaView();
  }

  @Get('task')
  @Authenticated()
  task(): SchemaView {
    return taskSchemaView();
  }

  @Get('tasks')
  @Authenticated()
  tasks(): SchemaView {
    return tasksSchemaView();
  }
}
