import { Feature } from '@cumulet/common/service/feature';
import { definitionsController } from '../definitions.controller.js';
import { MetadefController } from '../metadef-requests.js';
import {
  metadefObjects,
  MetadefObject,
  ObjectDto,
  ObjectList,
  objectOf,
  ObjectView,
  objectView,
} from './object.resource.js';

@MetadefController('namespaces/:namespace_name/objects')
export class ObjectsController extends definitionsController<MetadefObject, ObjectDto>({
  words: { one: 'an object definition', many: 'object definitions' },
  definitions: metadefObjects,
  parameter: 'object_name',
  body: ObjectDto,
  view: ObjectView,
  list: ObjectList,
  rowOf: objectOf,
  viewOf: objectView,
  listOf: (rows, namespace) => ({
    objects: rows.map((row) => objectView(row, namespace)),
    schema: '/v2/schemas/metadefs/objects',
  }),
}) {}

@Feature({ controllers: [ObjectsController], entities: [MetadefObject] })
export class ObjectsModule {}
